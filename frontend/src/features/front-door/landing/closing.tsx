import { InviteForm } from '../invite-form';
import styles from './landing.module.css';

/** The call to action at the end of the landing page. */
export const Closing = () => (
  <section className={styles.closing}>
    <div className={styles.column}>
      <h2>Bring the song you cannot finish alone.</h2>
      <InviteForm />
    </div>
  </section>
);
