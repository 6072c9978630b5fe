import type { FieldClasses } from '@roughmix/contracts/shared/field-classes.js';
import type { StoredEvent } from './event.js';

/** Turns one stored shape into the next newer one, with a new type name. Pure. */
export interface Upcaster {
  readonly from: string;
  readonly to: string;
  /** The field classes of the old shape, which stays in logs and is published and documented like any other. */
  readonly classes: FieldClasses;
  readonly change: (data: unknown) => unknown;
}

/** Creates a function that upcasts a stored event to its newest shape, step by step. Events without an upcaster stay as they are. */
export function upcastWith(upcasters: readonly Upcaster[]): (event: StoredEvent) => StoredEvent {
  const steps = new Map(upcasters.map((step) => [step.from, step]));
  return (event) => {
    let newest = event;
    for (let step = steps.get(newest.type); step !== undefined; step = steps.get(newest.type)) {
      newest = { ...newest, type: step.to, data: step.change(newest.data) };
    }
    return newest;
  };
}

/** Creates a function that returns the newest type name of a stored type, without its data. */
export function newestTypeWith(upcasters: readonly Upcaster[]): (type: string) => string {
  const steps = new Map(upcasters.map(({ from, to }) => [from, to]));
  return (type) => {
    let newest = type;
    for (let next = steps.get(newest); next !== undefined; next = steps.get(newest)) newest = next;
    return newest;
  };
}
