import { memo, useMemo } from 'react';
import { formatClock } from '../../shared/format/time';
import { classNames } from '../../shared/ui/class-names';
import { Avatar } from '../../shared/ui/avatar';
import { MORE_PX, type Pin, type PinGroup, pinGroups } from './pin-groups';
import type { WaveView } from './use-track-view';

const FACES_SHOWN = 2;
/** Pins at the ends of the track are shifted inwards so that neither they nor the ring of the selected one are clipped. */
const EDGE_PX = 16;
const WORDS = { comment: 'comments', todo: 'todos' } as const;

export interface PeopleLaneProps {
  readonly view: WaveView;
  readonly pins: readonly Pin[];
  readonly selectedId: string | null;
  /** Receives all pins of the group, earliest first. */
  readonly onPin: (pins: readonly Pin[]) => void;
}

function labelOf({ pins }: PinGroup): string {
  const [first] = pins;
  if (!first) return '';
  const names = [...new Set(pins.map(({ person }) => person.name))].join(', ');
  const kinds = [...new Set(pins.map(({ kind }) => WORDS[kind]))].join(' and ');
  return `${pins.length === 1 ? first.kind : `${pins.length} ${kinds}`} at ${formatClock(first.at)} by ${names}`;
}

function leftOf({ x, pins }: PinGroup, trackWidth: number): number {
  const most = trackWidth - EDGE_PX - (pins.length > 1 ? MORE_PX : 0);
  return Math.max(EDGE_PX, Math.min(x, most));
}

/** Distinct people, up to the number shown. */
const facesOf = ({ pins }: PinGroup) => [...new Map(pins.map((pin) => [pin.person.name, pin.person])).values()].slice(0, FACES_SHOWN);

/** Memoized, because zooming moves avatars without changing them. */
const PinFace = memo(function PinFace({ name, photo }: Pin['person']) {
  return <Avatar name={name} photo={photo} isDecorative />;
});

/** Pins of comments (round) and todos (square). Overlapping pins are grouped and show a count. */
export const PeopleLane = memo(function PeopleLane({ view, pins, selectedId, onPin }: PeopleLaneProps) {
  const groups = useMemo(() => pinGroups(pins, view.scale.toX), [pins, view.scale]);
  return (
    <div className="people" role="group" aria-label="Comments and todos on the timeline">
      {groups.map((group) => {
        const isSelected = group.pins.some(({ id }) => id === selectedId);
        return (
          <button
            key={group.pins[0]?.id}
            type="button"
            className={classNames('pin', group.pins.every(({ kind }) => kind === 'todo') && 'task', isSelected && 'sel')}
            style={{ left: leftOf(group, view.scale.width) }}
            aria-label={labelOf(group)}
            aria-current={isSelected || undefined}
            onClick={() => onPin(group.pins)}
          >
            {facesOf(group).map((person) => (
              <PinFace key={person.name} {...person} />
            ))}
            {group.pins.length > 1 && <span className="n">{group.pins.length}</span>}
          </button>
        );
      })}
    </div>
  );
});
