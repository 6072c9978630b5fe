/** A comment or todo at a time of the track. */
export interface Pin {
  readonly id: string;
  /** Seconds. */
  readonly at: number;
  readonly person: { readonly name: string; readonly photo?: string | undefined };
  readonly kind: 'comment' | 'todo';
}

export interface PinGroup {
  readonly pins: readonly Pin[];
  /** CSS pixels of the track: position of the first pin. */
  readonly x: number;
}

/** Width of an avatar, which is centred on its time. */
const FACE_PX = 24;
/** Extra width of a group: second avatar and count. */
export const MORE_PX = 28;
const GAP_PX = 2;

const rightOf = ({ x, pins }: PinGroup) => x + FACE_PX / 2 + (pins.length > 1 ? MORE_PX : 0);
const touch = (left: PinGroup, right: PinGroup) => rightOf(left) + GAP_PX > right.x - FACE_PX / 2;

/** Sorts pins by time and groups those that would overlap, at the first one's position. */
export function pinGroups(pins: readonly Pin[], toX: (seconds: number) => number): readonly PinGroup[] {
  const groups: PinGroup[] = [];
  for (const pin of pins.toSorted((a, b) => a.at - b.at)) {
    let group: PinGroup = { pins: [pin], x: toX(pin.at) };
    // A group is wider than a single avatar, so merging may cause an overlap with the previous group.
    for (let before = groups.at(-1); before && touch(before, group); before = groups.at(-1)) {
      group = { pins: [...before.pins, ...group.pins], x: before.x };
      groups.pop();
    }
    groups.push(group);
  }
  return groups;
}
