import type { NoteSplice } from '@roughmix/contracts/notes/note.api.js';
import { smallestSplice, type Splice } from '@roughmix/contracts/notes/note-splice.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { ApiProblem, errorMessage, isProblem } from '../../shared/api/api-errors';
import { newCommandId } from '../../shared/api/own-commands';
import { createBackoff } from '../../shared/live/backoff';
import type { SavedNote, SavedText } from '../../shared/project/project-notes';
import { type NoteStatus, isSameStatus } from './note-status';
import type { SentSave, StoredNote } from './stored-note';
import { readStored, writeStored } from '../../shared/writing/tab-storage';
import { mergeSaved, type Merged } from './merge-saved';

export interface SaveOptions {
  readonly commandId: string;
  /** The page is being left: the request must outlive it. */
  readonly keepalive: boolean;
}
/** Sends a change, and returns the note as the server has it afterwards. */
export type SendNote = (change: NoteSplice, options: SaveOptions) => Promise<SavedNote>;

type OnMerged = (merged: Merged) => void;

/** Whether the next change of a text does not touch what the one before inserted. */
const isElsewhere = (before: Splice, next: Splice): boolean => next.at > before.at + before.inserted.length || next.at + next.removed < before.at;

const isUnanswered = (error: unknown): boolean => !(error instanceof ApiProblem) || error.problem.status >= 500 || error.problem.status === 429;

/**
 * The text of one note while it is edited: stored in this tab after a short pause and sent to the server after a longer one. One save is in flight at a time.
 * What others save is merged in as it arrives; a conflict waits for {@link resolve}.
 */
export class NoteEditor {
  private current: string;
  private base: SavedText;
  private server: SavedNote;
  private sent: SentSave | null;
  private conflict: SavedText | null = null;
  private failure: string | null = null;
  private isSending = false;
  private lastSave: Promise<void> = Promise.resolve();
  /** An answer that waits for the input method; null while no character is being composed. */
  private composition: { merge: () => void } | null = null;
  private status: NoteStatus;
  private localTimer: ReturnType<typeof setTimeout> | undefined;
  private saveTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly backoff = createBackoff();
  private readonly listeners = new Set<() => void>();
  private readonly mergeListeners = new Set<OnMerged>();

  constructor(
    private readonly storageKey: string,
    private readonly send: SendNote,
    saved: SavedNote,
    /** False once the account is signed out: then nothing is stored or sent. */
    private readonly isSignedIn: () => boolean,
  ) {
    const stored = readStored<StoredNote>(storageKey);
    this.server = saved;
    this.base = stored?.base ?? saved;
    this.current = stored?.text ?? saved.text;
    this.sent = stored?.sent ?? null;
    this.status = this.newStatus();
    if (stored === null) return;
    this.adopt();
    this.saveLater(0);
  }

  get text(): string {
    return this.current;
  }
  get isUnsaved(): boolean {
    return this.isSignedIn() && (this.sent !== null || this.current !== this.base.text);
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
  readonly getSnapshot = (): NoteStatus => this.status;

  /** Calls `listener` whenever the text changes other than by {@link type}. */
  readonly onMerged = (listener: OnMerged) => {
    this.mergeListeners.add(listener);
    return () => void this.mergeListeners.delete(listener);
  };

  /** The user changed the text. What was written elsewhere is saved first: two small changes conflict less than one that spans both places. */
  readonly type = (text: string): void => {
    if (this.sent === null && this.isUnsaved && isElsewhere(smallestSplice(this.base.text, this.current), smallestSplice(this.current, text))) void this.save();
    this.current = text;
    this.failure = null;
    clearTimeout(this.localTimer);
    this.localTimer = setTimeout(this.store, LIMITS.noteLocalSaveMs);
    this.saveLater(LIMITS.noteSaveMs);
    this.publish();
  };

  /** An input method is composing a character, which a change of the text would break: merging waits until it is done. */
  readonly compose = (isComposing: boolean): void => {
    const waiting = this.composition;
    this.composition = isComposing ? { merge: () => undefined } : null;
    waiting?.merge();
    this.adopt();
  };

  /** The server's note as the page has it now. */
  readonly receive = (saved: SavedNote): void => {
    if (saved.position < this.server.position || saved === this.server) return;
    this.server = saved;
    this.adopt();
  };

  /** Saves at once: the note or the page is being left. */
  readonly leave = (isUnloading = false): void => {
    clearTimeout(this.localTimer);
    if (!this.isUnsaved) return;
    this.store();
    void this.save(isUnloading);
  };

  /** Saves at once and waits for the answer. */
  readonly flush = async (): Promise<void> => {
    await this.lastSave;
    await this.save();
  };

  readonly retry = (): void => void this.save();

  /** Ends a conflict with the text that the user chose. */
  readonly resolve = (text: string): void => {
    if (this.conflict === null) return;
    this.base = this.conflict;
    this.conflict = null;
    this.replace({ text, moved: (caret) => Math.min(caret, text.length) });
    this.store();
    this.publish();
    void this.save();
  };

  private saveLater(ms: number): void {
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => void this.save(), ms);
  }

  private async save(keepalive = false): Promise<void> {
    clearTimeout(this.saveTimer);
    if (!this.isSignedIn()) return;
    if (!this.isUnsaved) this.adopt();
    if (this.isSending || this.conflict !== null || !this.isUnsaved || (this.sent === null && this.isTooLong())) return;
    this.sent ??= {
      commandId: newCommandId(),
      change: { ...smallestSplice(this.base.text, this.current), hash: this.base.hash },
      text: this.current,
    };
    this.isSending = true;
    this.failure = null;
    this.store();
    this.publish();
    this.lastSave = this.deliver(this.sent, keepalive);
    await this.lastSave;
  }

  private async deliver(sent: SentSave, keepalive: boolean): Promise<void> {
    const { server } = this;
    try {
      const saved = await this.send(sent.change, { commandId: sent.commandId, keepalive });
      const { composition } = this;
      if (composition !== null) await new Promise<void>((resolve) => (composition.merge = resolve));
      this.answered(sent, saved);
    } catch (error) {
      this.refused(error, server);
    }
    this.isSending = false;
    this.store();
    this.publish();
  }

  private answered(sent: SentSave, saved: SavedNote): void {
    this.sent = null;
    this.backoff.reset();
    if (saved.position >= this.server.position) this.server = saved;
    if (!this.merge(sent.text)) this.conflict = this.server;
    else if (this.isUnsaved) this.saveLater(LIMITS.noteSaveMs);
  }

  /** @param server the server's note when the save was sent */
  private refused(error: unknown, server: SavedNote): void {
    if (isProblem(error, 'note.conflict')) {
      const { theirs = '', hash = '' } = error.problem;
      this.sent = null;
      // A note that arrived meanwhile may be newer than the one in the refusal, which has no position.
      if (this.server === server) this.server = { text: theirs, hash, position: server.position };
      this.conflict = this.server;
      return;
    }
    this.failure = errorMessage(error);
    if (isUnanswered(error)) this.saveLater(this.backoff.next());
    else this.sent = null;
  }

  /** Takes what the server has now, unless a save is in flight: its answer will include that. */
  private adopt(): void {
    if (this.sent !== null || this.composition !== null || this.server.hash === this.base.hash) return;
    if (this.conflict !== null) this.conflict = this.server;
    // Where both changed the same part, the next save finds out whether the server, which knows each change, can merge them.
    else this.merge(this.base.text);
    this.publish();
  }

  /** Merges the server's text into the user's, both changed from `from`. False if they changed the same part. */
  private merge(from: string): boolean {
    const merged = mergeSaved(from, this.server.text, this.current);
    if (merged === null) return false;
    this.base = this.server;
    if (merged.text !== this.current) this.replace(merged);
    return true;
  }

  private replace(merged: Merged): void {
    this.current = merged.text;
    for (const listener of this.mergeListeners) listener(merged);
  }

  /** Stores in this tab what the server does not have. */
  private readonly store = (): void => {
    if (!this.isSignedIn()) return;
    const { base, current: text, sent } = this;
    writeStored(this.storageKey, this.isUnsaved ? ({ base: { text: base.text, hash: base.hash }, text, sent } satisfies StoredNote) : null);
  };

  private isTooLong(): boolean {
    return this.current.length > LIMITS.note;
  }

  private newStatus(): NoteStatus {
    const { conflict, failure, isSending } = this;
    const state = conflict ? 'conflict' : isSending ? 'saving' : failure === null ? (this.isUnsaved ? 'unsaved' : 'saved') : 'failed';
    return { state, failure, theirs: conflict?.text ?? null, isTooLong: this.isTooLong() };
  }

  private publish(): void {
    const status = this.newStatus();
    if (isSameStatus(status, this.status)) return;
    this.status = status;
    for (const listener of this.listeners) listener();
  }
}
