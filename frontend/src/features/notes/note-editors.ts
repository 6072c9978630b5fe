import type { NoteName } from '@roughmix/contracts/notes/note.access.js';
import { PROJECT_PATHS } from '@roughmix/contracts/projects/project.paths.js';
import type { UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../shared/api/client';
import { useProject } from '../../shared/project/project-context';
import { notesOf, type SavedNote, takeNotes } from '../../shared/project/project-notes';
import { beforeSignOut } from '../../shared/session/before-sign-out';
import { useSession } from '../../shared/session/session-provider';
import { sessionQuery } from '../../shared/session/session-query';
import { draftKey } from '../../shared/writing/drafts';
import { NoteEditor, type SendNote } from './note-editor';

/** Editors that are shown, or still have something to save: opening a note again continues with its editor. */
const editors = new WeakMap<QueryClient, Map<string, NoteEditor>>();

function editorsOf(cache: QueryClient): Map<string, NoteEditor> {
  const known = editors.get(cache) ?? new Map<string, NoteEditor>();
  editors.set(cache, known);
  return known;
}

const sendOf =
  (cache: QueryClient, projectId: Id, note: NoteName): SendNote =>
  async (change, { commandId, keepalive }) => {
    const body = { submission: { owner: { notes: { [note]: change } } } };
    const { answer } = await api.send<UpdatedProjectAnswer>('PUT', PROJECT_PATHS.edit(projectId), body, { commandId, keepalive, wantsProject: true });
    const { updatedProject } = answer;
    takeNotes(cache, updatedProject);
    void cache.invalidateQueries({ queryKey: ['projects'] });
    const saved = cache.getQueryData(notesOf(projectId).queryKey)?.[note];
    if (saved === undefined) throw new Error('the answer does not contain the note');
    return saved;
  };

/** Saves when the page is left or hidden, and asks before it is closed with unsaved text. */
function watchLeaving(editor: NoteEditor): () => void {
  const onHide = () => editor.leave(true);
  const onVisibility = () => document.visibilityState === 'hidden' && editor.leave();
  const onUnload = (event: BeforeUnloadEvent) => editor.isUnsaved && event.preventDefault();
  window.addEventListener('pagehide', onHide);
  window.addEventListener('beforeunload', onUnload);
  window.addEventListener('online', editor.retry);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    window.removeEventListener('pagehide', onHide);
    window.removeEventListener('beforeunload', onUnload);
    window.removeEventListener('online', editor.retry);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}

function whenSaved(editor: NoteEditor, run: () => void): void {
  if (!editor.isUnsaved) return run();
  const stop = editor.subscribe(() => {
    if (editor.isUnsaved) return;
    stop();
    run();
  });
}

/** The editor of a note of the open project, which goes on saving when the tab is left. Render the caller under a key of the note. */
export function useNoteEditor(note: NoteName, saved: SavedNote): NoteEditor {
  const cache = useQueryClient();
  const { projectId, user } = useProject();
  const { signIns } = useSession();
  const isSignedIn = () => cache.getQueryData(sessionQuery.queryKey)?.user.uid === user.uid;
  const key = draftKey(user.uid, projectId, 'note', note);
  const [editor] = useState(() => editorsOf(cache).get(key) ?? new NoteEditor(key, sendOf(cache, projectId, note), saved, isSignedIn));
  useEffect(() => editor.receive(saved), [editor, saved]);
  useEffect(() => {
    const known = editorsOf(cache).set(key, editor);
    const cancel = beforeSignOut(editor.flush);
    const unwatch = watchLeaving(editor);
    return () => {
      editor.leave();
      whenSaved(editor, () => {
        cancel();
        unwatch();
        known.delete(key);
      });
    };
  }, [cache, key, editor]);
  // After the login that an ended session asks for, a save that was refused is sent again.
  useEffect(() => editor.retry(), [editor, signIns]);
  return editor;
}
