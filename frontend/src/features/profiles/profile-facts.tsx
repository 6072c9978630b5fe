import type { ProfileView } from '@roughmix/contracts/profiles/profile.view.js';
import { AudioLines, Ear, type LucideIcon, MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../../shared/ui/icon';
import styles from './profiles.module.css';

const Fact = ({ icon, children }: { readonly icon: LucideIcon; readonly children: ReactNode }) => (
  <p className={styles.fact}>
    <Icon of={icon} />
    <span>{children}</span>
  </p>
);

/** What a person says about themselves. */
export function ProfileFacts({ user, projects }: { readonly user: ProfileView; readonly projects: string }) {
  const { location, about, influences } = user.info;
  return (
    <div className={styles.facts}>
      {about !== '' && <p className={styles.about}>{about}</p>}
      <div>
        {location !== '' && <Fact icon={MapPin}>{location}</Fact>}
        <Fact icon={AudioLines}>{projects}</Fact>
        {influences !== '' && <Fact icon={Ear}>Influences: {influences}</Fact>}
      </div>
    </div>
  );
}
