import type { NoteEvents } from '@roughmix/contracts/notes/note.events.js';
import { applySplice } from '@roughmix/contracts/notes/note-splice.js';
import type { ProjectEvents } from '@roughmix/contracts/projects/project.events.js';
import type { UserEvents } from '@roughmix/contracts/users/user.events.js';
import type { StoredEvent } from '../kernel/event.js';
import { type DocumentChange, projector, type Projector, remove, removeWhere } from '../kernel/projector.js';
import { idInStream } from '../kernel/stream-name.js';
import { type NoteDocument, PRIVATE_NOTES, type PrivateNoteDocument, privateNoteId, PUBLIC_NOTES } from './notes.documents.js';

/** The note after a save; the first save creates it. */
function saved(event: StoredEvent<string, NoteEvents['PublicNoteEdited']>, old: object | null): NoteDocument {
  const { hash, ...splice } = event.data;
  const text = old === null ? '' : (old as NoteDocument).text;
  return { projectId: idInStream(event), text: applySplice(text, splice), hash, position: event.position };
}

/** `projectId` finds all notes of a purged project, `ownerUid` those of an erased user. */
export const notesProjector: Projector = projector<NoteEvents & Pick<ProjectEvents, 'ProjectPurged'> & Pick<UserEvents, 'UserErased'>>(
  {
    name: 'notes',
    version: 1,
    collections: [
      { name: PUBLIC_NOTES, indexes: [] },
      { name: PRIVATE_NOTES, indexes: [{ field: 'projectId' }, { field: 'ownerUid' }] },
    ],
  },
  {
    PublicNoteEdited: (event) => [{ collection: PUBLIC_NOTES, id: idInStream(event), change: (old) => ({ ...saved(event, old) }) }],
    PrivateNoteEdited: (event) => {
      const { ownerUid } = event.data;
      const change: DocumentChange['change'] = (old) => ({ ...saved(event, old), ownerUid }) satisfies PrivateNoteDocument;
      return [{ collection: PRIVATE_NOTES, id: privateNoteId(idInStream(event), ownerUid), change }];
    },
    ProjectPurged: {
      reads: removeWhere(PRIVATE_NOTES, 'projectId', idInStream).reads,
      project: (event, found) => [remove(PUBLIC_NOTES, idInStream(event)), ...removeWhere(PRIVATE_NOTES, 'projectId', idInStream).project(event, found)],
    },
    UserErased: removeWhere<UserEvents['UserErased']>(PRIVATE_NOTES, 'ownerUid', ({ data }) => data.uid),
  },
);
