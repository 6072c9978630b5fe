import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import { useState } from 'react';
import { type ProjectContextValue, useSelectedVersion, useProject } from '../../shared/project/project-context';
import { useSession } from '../../shared/session/session-provider';
import { useDraft } from '../../shared/writing/drafts';
import { mentionablesOf } from '../../shared/writing/mention-search';
import { toWire } from '../../shared/writing/mention-text';
import { usePauseWhileWriting } from '../../shared/writing/use-pause-while-writing';
import { commentDraftKey, EMPTY_DRAFT } from './comment-draft';
import type { CommentTag } from './new-comment';
import { useCommentOutbox } from './use-comment-outbox';

/** The region that is selected on the wave, which a new comment can be tagged with. */
export interface SelectedRegion extends CommentTag {
  /** Saves the region if it is still a draft, and returns its id. */
  readonly save: () => Promise<Id>;
}

/** Saves the region first if it is still a draft. */
const tagOf = async ({ tag, start, end, save }: SelectedRegion): Promise<CommentTag> => ({ _id: await save(), tag, start, end });

/** The text, kept in this tab. Typing the first letter of a comment stamps it with the playhead's position. */
function useText({ projectId, user, playhead }: ProjectContextValue, parentId: Id | null) {
  const selectedVersion = useSelectedVersion();
  const playback = usePauseWhileWriting(playhead);
  const [draft, save] = useDraft(commentDraftKey(user.uid, projectId, parentId), EMPTY_DRAFT);
  const currentStamp = (): Stamp | null => {
    if (selectedVersion === null || selectedVersion.state === 'rejected' || parentId !== null) return null;
    return { versionId: selectedVersion._id, at: Math.min(toMillis(playhead.position()), selectedVersion.duration) };
  };
  const write = (text: string) => {
    playback.pause();
    if (text === '') playback.forget();
    save(text === '' ? EMPTY_DRAFT : { text, stamp: draft.text === '' ? currentStamp() : draft.stamp });
  };
  return { draft, save, write, playback, versionId: selectedVersion?._id ?? null, isTooLong: draft.text.length > LIMITS.comment };
}

/**
 * State and actions of a box for comments.
 * @param parentId the comment to reply to; null for a new comment
 * @param selected the region to offer as a tag
 */
export function useWriting(parentId: Id | null, selected: SelectedRegion | null) {
  const project = useProject();
  const { requireAccount } = useSession();
  const { draft, save, write, playback, versionId, isTooLong } = useText(project, parentId);
  const [wantsTag, setTagged] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const outbox = useCommentOutbox();
  const people = mentionablesOf(project.members, project.user.uid);
  const tagged = wantsTag ? selected : null;
  const canSend = draft.text.trim() !== '' && !isTooLong && !isBusy;

  /** @throws the server's refusal of a region that had to be saved first; the draft is kept */
  const submit = async () => {
    if (!canSend || !requireAccount()) return;
    const content = toWire(
      draft.text,
      people.map(({ username }) => username),
    );
    setBusy(true);
    try {
      const region = tagged === null ? null : await tagOf(tagged);
      outbox.send({ kind: 'text', parentId, content, versionId, stamp: draft.stamp, region });
      save(EMPTY_DRAFT);
      setTagged(false);
      playback.resume();
    } finally {
      setBusy(false);
    }
  };
  const sendImage = (file: File) => {
    if (requireAccount()) outbox.send({ kind: 'image', parentId: null, content: file.name, versionId, stamp: null, region: null }, file);
  };
  /** Puts unsent text back into the box, after any text written in the meantime. */
  const takeBack = (text: string) => save({ ...draft, text: draft.text === '' ? text : `${draft.text}\n${text}` });
  const error = isTooLong ? detailOf('limit.content') : null;
  const removeStamp = () => save({ ...draft, stamp: null });
  return { draft, write, people, isTagged: tagged !== null, setTagged, canSend, isBusy, error, removeStamp, takeBack, submit, sendImage };
}

export type Writing = ReturnType<typeof useWriting>;
