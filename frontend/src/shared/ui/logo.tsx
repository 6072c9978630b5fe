import './logo.css';

/** The mark and the name with its beta; put it into the home link. */
export function Logo() {
  return (
    <span className="logo">
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <rect x="1" y="1" width="18" height="3.4" fill="var(--accent)" />
        <path d="M2 6.6v9M6 8.6v5M10 6.6v12.4M14 9.6v3.6M18 6.6v9" stroke="currentColor" strokeWidth="2" fill="none" />
      </svg>
      <span className="logo-name">
        Roughmix
        <sup>beta</sup>
      </span>
    </span>
  );
}
