/** Somebody's words at a moment of the track. */
export interface Pin {
  readonly id: string;
  /** Seconds. */
  readonly at: number;
  readonly person: { readonly name: string; readonly photo?: string | undefined };
  readonly kind: 'comment' | 'todo';
}

export interface PinGroup {
  readonly pins: readonly Pin[];
  /** CSS pixels of the track: where the first of them lies. */
  readonly x: number;
}

/** The first face stands over its moment. */
const FACE_PX = 24;
/** How much further a second face and the number reach. */
const MORE_PX = 28;
const GAP_PX = 2;

const rightOf = ({ x, pins }: PinGroup) => x + FACE_PX / 2 + (pins.length > 1 ? MORE_PX : 0);
const touch = (left: PinGroup, right: PinGroup) => rightOf(left) + GAP_PX > right.x - FACE_PX / 2;

/** Pins in the order of time; those that would touch stand together, where the first of them is. */
export function pinGroups(pins: readonly Pin[], toX: (seconds: number) => number): readonly PinGroup[] {
  const groups: PinGroup[] = [];
  for (const pin of pins.toSorted((a, b) => a.at - b.at)) {
    let group: PinGroup = { pins: [pin], x: toX(pin.at) };
    // A group is wider than a face, so that joining one may make it touch the one before.
    for (let before = groups.at(-1); before && touch(before, group); before = groups.at(-1)) {
      group = { pins: [...before.pins, ...group.pins], x: before.x };
      groups.pop();
    }
    groups.push(group);
  }
  return groups;
}
