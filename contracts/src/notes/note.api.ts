import { Transform } from 'class-transformer';
import { Allow, IsInt, IsString, Matches, Min, validateSync } from 'class-validator';
import { withoutControls } from '../shared/visible-text.js';
import { NOTE_NAMES, type NoteName } from './note.access.js';

/** A change of one part of a note. `at` and `removed` count UTF-16 units; `hash` identifies the text that they refer to. */
export class NoteSplice {
  @IsInt()
  @Min(0)
  at: number;
  @IsInt()
  @Min(0)
  removed: number;
  @IsString()
  inserted: string;
  @Matches(/^[0-9a-f]{64}$/)
  hash: string;
}

/** A new text, or a change of a part of it. */
export type NoteChange = string | NoteSplice;

/** The text that a change brings in has no control characters. Its white space stays, also where there is nothing else. */
const CleanChange = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    if (typeof value === 'string') return withoutControls(value);
    if (typeof value !== 'object' || value === null || !('inserted' in value) || typeof value.inserted !== 'string') return value;
    return { ...value, inserted: withoutControls(value.inserted) };
  });

/** The changed notes of a project. The permission is checked before their shapes, so the fields are declared without rules. */
export class NotesChanges {
  @Allow()
  @CleanChange()
  public?: NoteChange;
  @Allow()
  @CleanChange()
  private?: NoteChange;
  /** Part of the view. Refused in a change: the hash belongs to the splice. */
  @Allow()
  hash?: never;
}

/** The notes that a body changes. */
export const changedNotes = (notes: NotesChanges): readonly NoteName[] => NOTE_NAMES.filter((note) => notes[note] !== undefined);

/** Checks the shape of a change, which may be any JSON. */
export function noteChangeProblem(change: unknown): 'request.invalid' | 'request.unknown-field' | null {
  if (typeof change === 'string') return null;
  if (typeof change !== 'object' || change === null || Array.isArray(change)) return 'request.invalid';
  const splice = Object.assign(new NoteSplice(), change);
  const errors = validateSync(splice, { whitelist: true, forbidNonWhitelisted: true });
  const isUnknown = errors.some(({ constraints }) => constraints?.['whitelistValidation'] !== undefined);
  return errors.length === 0 ? null : isUnknown ? 'request.unknown-field' : 'request.invalid';
}
