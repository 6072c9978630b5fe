import { Allow, IsInt, IsString, Matches, Min } from 'class-validator';

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

/** The changed notes of a project. Their shapes are checked after the permission, so the fields are declared without rules. */
export class NotesChanges {
  @Allow()
  public?: NoteChange;
  @Allow()
  private?: NoteChange;
  /** Part of the view. Refused in a change: the hash belongs to the splice. */
  @Allow()
  hash?: never;
}
