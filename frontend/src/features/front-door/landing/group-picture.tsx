import { Avatar } from '../../../shared/ui/avatar';
import { FACES } from '../demo/demo-people';
import { DemoWave } from '../demo/demo-wave';
import styles from './landing.module.css';

const PLAYED = 0.22;

/** A version that was shared with a group, and an answer. */
export const GroupPicture = () => (
  <ul className={styles.demo} aria-label="Posts in a group">
    <li className={`say ${styles.post}`}>
      <Avatar name="Sam" photo={FACES.Sam} size={32} isDecorative />
      <span className="who">
        <b>Sam</b>
        <span className="meta">shared with Tuesday Writers, 20 minutes ago</span>
      </span>
      <div className={styles.card}>
        <span className="flex">
          <b className="grow cut">
            Paper Moon <span className="meta">1.0 Live in one room</span>
          </b>
          <span className="meta">1:02</span>
        </span>
        <div className={styles.small}>
          <DemoWave wave="paper-moon-1.0" played={PLAYED} />
        </div>
      </div>
    </li>
    <li className={`say ${styles.post}`}>
      <Avatar name="Maud" photo={FACES.Maud} size={32} isDecorative />
      <span className="who">
        <b>Maud</b>
        <span className="meta">8 minutes ago</span>
      </span>
      <p className="text">The pause before the second verse makes the room feel twice as big. Leave it.</p>
    </li>
  </ul>
);
