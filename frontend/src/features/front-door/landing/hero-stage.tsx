import { CATEGORY_LABELS } from '@roughmix/contracts/shared/categories.js';
import { Pause, Play } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { formatClock, formatMark } from '../../../shared/format/time';
import { useMedia } from '../../../shared/hooks/use-media';
import { Avatar } from '../../../shared/ui/avatar';
import { CATEGORY_ICONS, categoryClass } from '../../../shared/ui/category';
import { classNames } from '../../../shared/ui/class-names';
import { Icon } from '../../../shared/ui/icon';
import { FACES } from '../demo/demo-people';
import { percent, WaveLayer } from '../demo/demo-wave';
import { MARKS, RULER_SECONDS, SAID, type Said, secondsAt, shareAt, SHOWN, SHOWN_SECONDS, STARTS_AT } from './demonstration';
import styles from './hero-stage.module.css';
import { transformsAt, useDemonstration } from './use-demonstration';

const RULER = Array.from({ length: Math.floor(SHOWN_SECONDS / RULER_SECONDS) }, (_, index) => SHOWN.start + 1 + index * RULER_SECONDS);
const PEOPLE = ['Ines', 'Ravi', 'Sam', 'Maud'] as const;
const START = transformsAt(STARTS_AT);

const Region = ({ said: { start, end, category, label }, isLit }: { readonly said: Said; readonly isLit: boolean }) => (
  <span
    className={classNames(styles.region, categoryClass(category), isLit && styles.lit)}
    style={{ left: percent(shareAt(start)), width: percent((end - start) / SHOWN_SECONDS) }}
  >
    <b>
      <Icon of={CATEGORY_ICONS[category]} size={14} />
      <span className="sr">{CATEGORY_LABELS[category]}: </span>
      <span className="cut">{label}</span>
    </b>
  </span>
);

/** `room` is the share of the picture up to the next comment. */
const Words = ({ said: { start, who, meta, text }, room, isLit }: { readonly said: Said; readonly room: number; readonly isLit: boolean }) => (
  <li className={classNames('say', styles.said, isLit && styles.lit)} style={{ left: percent(shareAt(start)), maxWidth: `calc(${percent(room)} - 0.5rem)` }}>
    <Avatar name={who} photo={FACES[who]} size={28} isDecorative />
    <span className="who">
      <b>{who}</b>
      <span className="meta">{meta === undefined ? formatMark(start) : `${formatMark(start)}, ${meta}`}</span>
    </span>
    <p className="text">{text}</p>
  </li>
);

function Track({ isRunning }: { readonly isRunning: boolean }) {
  const played = useRef<HTMLDivElement>(null);
  const wave = useRef<HTMLDivElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  const clock = useRef<HTMLElement>(null);
  const parts = useMemo(() => ({ played, wave, playhead, clock }), []);
  const litId = useDemonstration(parts, isRunning);
  return (
    <div className={styles.track}>
      <div className={styles.ruler} aria-hidden="true">
        {RULER.map((seconds) => (
          <span key={seconds} style={{ left: percent(shareAt(seconds)) }}>
            {formatMark(seconds)}
          </span>
        ))}
      </div>
      <div className={styles.wave}>
        {SAID.map((said) => (
          <Region key={said.id} said={said} isLit={said.id === litId} />
        ))}
        <div className={styles.layer}>
          <WaveLayer wave="low-tide-2.0-hero" marks={MARKS} />
        </div>
        <div ref={played} className={styles.played} style={{ transform: START.played }}>
          <div ref={wave} className={styles.layer} style={{ transform: START.wave }}>
            <WaveLayer wave="low-tide-2.0-hero" marks={MARKS} isPlayed />
          </div>
        </div>
      </div>
      <ul className={styles.talk}>
        {SAID.map((said, index) => (
          <Words key={said.id} said={said} room={shareAt(SAID[index + 1]?.start ?? SHOWN.end) - shareAt(said.start)} isLit={said.id === litId} />
        ))}
      </ul>
      <div ref={playhead} className={styles.playhead} style={{ transform: START.playhead }} aria-hidden="true">
        <b ref={clock}>{formatClock(secondsAt(STARTS_AT))}</b>
      </div>
    </div>
  );
}

/**
 * A song in progress: its wave, its regions and what people say about them. The playhead moves, without sound; if the user prefers less
 * motion it stands still until they press play.
 */
export function HeroStage() {
  const mayMove = useMedia('(prefers-reduced-motion: no-preference)');
  const [chosen, choose] = useState<boolean | null>(null);
  const isRunning = chosen ?? mayMove;
  return (
    <section aria-label="A song in progress on Roughmix">
      <div className={styles.stage}>
        <Track isRunning={isRunning} />
      </div>
      <div className={styles.bar}>
        <button
          type="button"
          className={styles.play}
          aria-label={isRunning ? 'Pause the demonstration' : 'Play the demonstration, without sound'}
          onClick={() => choose(!isRunning)}
        >
          <Icon of={isRunning ? Pause : Play} size={18} filled />
        </button>
        <b className="cut">Low Tide</b>
        <span className={classNames('meta', styles.optional)}>2.0 Vocal up, less room</span>
        <span className="grow" />
        <span className="faces" aria-hidden="true">
          {PEOPLE.map((name) => (
            <Avatar key={name} name={name} photo={FACES[name]} isDecorative />
          ))}
        </span>
        <span className={classNames('meta', styles.optional)}>four people, one waveform</span>
      </div>
    </section>
  );
}
