import type { Viewer } from '../projects/project.access.js';

/** A project has a public note, and a private one that belongs to its owner. */
export type NoteName = 'public' | 'private';

/** In the order in which they are saved. */
export const NOTE_NAMES: readonly NoteName[] = ['public', 'private'];

/** Everyone who sees the project reads the public note; only the owner reads the private one. */
export const mayReadNote = (who: Pick<Viewer, 'may'>, note: NoteName): boolean => note === 'public' || who.may.owner;
export const mayEditNote = (who: Pick<Viewer, 'may'>, note: NoteName): boolean => (note === 'public' ? who.may.write : who.may.owner);
