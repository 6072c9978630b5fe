import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import styles from './site-footer.module.css';

/** The foot of the public pages. */
export const SiteFooter = () => (
  <footer className={styles.footer}>
    <div>
      <Link to={paths.terms}>Terms</Link>
      <Link to={paths.privacy}>Privacy Policy</Link>
      <Link to={paths.contact}>Connect with Us</Link>
      <span>Roughmix, 2022</span>
    </div>
  </footer>
);
