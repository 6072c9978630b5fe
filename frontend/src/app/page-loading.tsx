import './page-state.css';

/** Shown while a page loads; its line appears only after a short delay. */
export const PageLoading = () => (
  <div className="page-state page-loading" role="status">
    <span className="sr">Loading</span>
    <i className="zero-line" />
  </div>
);
