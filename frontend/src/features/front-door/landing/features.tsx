import { BellRing, Layers, Lock, type LucideIcon, MessageSquare, RefreshCw, Repeat, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../../shared/ui/class-names';
import { Icon } from '../../../shared/ui/icon';
import { GroupPicture } from './group-picture';
import styles from './landing.module.css';
import { TodosPicture } from './todos-picture';
import { VersionsPicture } from './versions-picture';

interface FeatureProps {
  readonly title: string;
  readonly text: string;
  readonly points: readonly (readonly [icon: LucideIcon, text: string])[];
  /** Puts the picture first. */
  readonly isFlipped?: boolean;
  readonly children: ReactNode;
}

const Feature = ({ title, text, points, isFlipped, children }: FeatureProps) => (
  <section className={classNames(styles.feature, isFlipped && styles.flipped)}>
    <div>
      <h2>{title}</h2>
      <p>{text}</p>
      <ul>
        {points.map(([icon, point]) => (
          <li key={point}>
            <Icon of={icon} />
            {point}
          </li>
        ))}
      </ul>
    </div>
    {children}
  </section>
);

/** What Roughmix does, in three sections, each with a small picture of it. */
export const Features = () => (
  <>
    <Feature
      title="Collaboration in the cloud"
      text="Switch between versions without losing your place or stopping the sound. Louder never wins: Roughmix measures every upload and turns the louder one down before you judge."
      points={[
        [Repeat, 'Loop a bar, slow it down, change its pitch'],
        [Layers, 'Every version stays, with its comments'],
        [Lock, 'You decide who may view, comment, download, write'],
      ]}
    >
      <VersionsPicture />
    </Feature>
    <Feature
      isFlipped
      title="Stay on top of things"
      text="A todo is tied to the bar it is about, has a date, and is ticked off in the version that fixed it. Nobody asks “which chorus?” again."
      points={[
        [BellRing, 'Reminders on screen, on the phone, by mail'],
        [RefreshCw, 'What the others change appears while you look'],
      ]}
    >
      <TodosPicture />
    </Feature>
    <Feature
      title="Creative communities"
      text="Small rooms, not a stage. Share a version with a group you know, hear what they hear, and take it back to the project."
      points={[
        [UsersRound, 'Groups with a feed, shared tracks and members'],
        [MessageSquare, 'Direct messages for the rest'],
      ]}
    >
      <GroupPicture />
    </Feature>
  </>
);
