import { Injectable } from '@nestjs/common';
import { mayReadNote } from '@roughmix/contracts/notes/note.access.js';
import type { NotesView } from '@roughmix/contracts/notes/note.view.js';
import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { type NoteDocument, PRIVATE_NOTES, privateNoteId, PUBLIC_NOTES } from './notes.documents.js';

const UNWRITTEN = { text: '', hash: sha256('') };

@Injectable()
export class NotesQueries {
  constructor(private readonly reads: ReadModels) {}

  /** The notes that everyone who sees the project may read. */
  async publicNotes(projectId: Id): Promise<NotesView> {
    const { text, hash } = (await this.reads.get<NoteDocument>(PUBLIC_NOTES, projectId)) ?? UNWRITTEN;
    return { public: text, hash: { public: hash } };
  }

  /** The notes that a user may read; they were checked to see the project. */
  async notesFor(projectId: Id, who: Viewer): Promise<NotesView> {
    const shared = await this.publicNotes(projectId);
    if (!mayReadNote(who, 'private')) return shared;
    const { text, hash } = (await this.reads.get<NoteDocument>(PRIVATE_NOTES, privateNoteId(projectId, who.uid))) ?? UNWRITTEN;
    return { public: shared.public, private: text, hash: { public: shared.hash.public, private: hash } };
  }
}
