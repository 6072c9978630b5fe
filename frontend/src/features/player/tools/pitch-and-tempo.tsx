import { RotateCcw } from 'lucide-react';
import { useId } from 'react';
import { formatPercent, formatRatio, formatSemitones } from '../../../shared/format/ratio';
import { lacksHttps } from '../../../shared/lacks-https';
import { useShortcuts } from '../../../shared/shortcuts/use-shortcuts';
import { IconButton } from '../../../shared/ui/icon-button';
import { Slider } from '../../../shared/ui/slider';
import { type Limitation, LOWEST_RATIO, type PlayerState, type PlayerStore } from '../player-state';
import { usePlayer } from '../use-player';
import './tools.css';

const STEPS_PER_UNIT = 20;
const STEP = 1 / STEPS_PER_UNIT;
const HIGHEST = 2;
const UNCHANGED = 1;

const LIMITATION_TEXTS: Readonly<Record<Limitation, string>> = {
  'long-file': 'Too long to decode: minimum tempo',
  undecodable: 'This browser cannot decode this file: no pitch, minimum tempo',
  'no-web-audio': 'No Web Audio: no pitch, minimum tempo',
};
const NO_HTTPS = 'No HTTPS: no pitch, no level, minimum tempo';

const limitationText = (limitation: Limitation, tempoFloor: number): string =>
  `${limitation === 'no-web-audio' && lacksHttps() ? NO_HTTPS : LIMITATION_TEXTS[limitation]} ${formatPercent(tempoFloor)}; loops and switches are approximate.`;

/** A media element alone can change the tempo only. */
const hasPitch = ({ limitation }: PlayerState): boolean => limitation === null || limitation === 'long-file';

interface RatioSliderProps {
  readonly label: string;
  readonly value: number;
  readonly min?: number;
  readonly onChange: (value: number) => void;
  /** The value in the unit that musicians use. */
  readonly inUnit: (value: number) => string;
  readonly spoken: (value: number) => string;
  readonly isDisabled?: boolean;
  readonly describedBy?: string | undefined;
}

function RatioSlider({ label, value, min = LOWEST_RATIO, onChange, inUnit, spoken, isDisabled, describedBy }: RatioSliderProps) {
  return (
    <div className="ratio">
      <Slider
        label={label}
        min={min}
        max={HIGHEST}
        step={STEP}
        rest={UNCHANGED}
        value={value}
        onChange={onChange}
        format={formatRatio}
        spoken={spoken}
        isDisabled={isDisabled}
        describedBy={describedBy}
      />
      <span className="meta unit">{inUnit(value)}</span>
      <span className="reset">
        {value !== UNCHANGED && (
          <IconButton size="s" label={`Reset ${label.toLowerCase()}`} icon={RotateCcw} iconSize={14} onPress={() => onChange(UNCHANGED)} />
        )}
      </span>
    </div>
  );
}

/** Pitch and tempo of what plays, independent of each other. */
export function PitchAndTempo({ store }: { readonly store: PlayerStore }) {
  const pitch = usePlayer(store, (state) => state.pitch);
  const tempo = usePlayer(store, (state) => Math.max(state.tempo, state.tempoFloor));
  const tempoFloor = usePlayer(store, (state) => state.tempoFloor);
  const limitation = usePlayer(store, (state) => state.limitation);
  const isPitchOff = !usePlayer(store, hasPitch);
  const reason = useId();
  return (
    <div className="ratios" role="group" aria-label="Pitch and tempo">
      <RatioSlider
        label="Pitch"
        value={pitch}
        isDisabled={isPitchOff}
        describedBy={isPitchOff ? reason : undefined}
        onChange={store.setPitch}
        inUnit={(value) => `${formatSemitones(value)} st`}
        spoken={(value) => `${formatRatio(value)}, ${formatSemitones(value)} semitones`}
      />
      <RatioSlider
        label="Tempo"
        value={tempo}
        min={tempoFloor}
        onChange={store.setTempo}
        inUnit={formatPercent}
        spoken={(value) => `${formatRatio(value)}, ${formatPercent(value)}`}
        describedBy={limitation ? reason : undefined}
      />
      {limitation && (
        <p className="meta limitation" id={reason}>
          {limitationText(limitation, tempoFloor)}
        </p>
      )}
    </div>
  );
}

/** Steps on the sliders' grid, so that keys and sliders reach the same values. */
const stepped = (value: number, steps: number, min: number): number =>
  Math.min(HIGHEST, Math.max(min, (Math.round(value * STEPS_PER_UNIT) + steps) / STEPS_PER_UNIT));

/** Keys of pitch and tempo. */
export function usePitchAndTempoKeys(store: PlayerStore): void {
  const pitchBy = (steps: number) => {
    if (hasPitch(store.getSnapshot())) store.setPitch(stepped(store.getSnapshot().pitch, steps, LOWEST_RATIO));
  };
  const tempoBy = (steps: number) => store.setTempo(stepped(store.getSnapshot().tempo, steps, store.getSnapshot().tempoFloor));
  const reset = () => {
    store.setPitch(UNCHANGED);
    store.setTempo(UNCHANGED);
  };
  useShortcuts([
    { keys: [','], label: 'Slower', run: () => tempoBy(-1) },
    { keys: ['.'], label: 'Faster', run: () => tempoBy(1) },
    { keys: ['<'], label: 'Lower pitch', run: () => pitchBy(-1) },
    { keys: ['>'], label: 'Higher pitch', run: () => pitchBy(1) },
    { keys: ['0'], label: 'Reset pitch and tempo', run: reset },
  ]);
}
