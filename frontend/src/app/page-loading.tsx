import './page-state.css';

/** A page on its way; says so only when it takes longer than a blink. */
export const PageLoading = () => (
  <div className="page-state page-loading" role="status">
    <span className="sr">Loading</span>
    <i className="zero-line" />
  </div>
);
