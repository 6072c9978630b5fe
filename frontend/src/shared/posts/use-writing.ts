import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import { showsNothing } from '@roughmix/contracts/shared/visible-text.js';
import { useLayoutEffect, useRef, useState } from 'react';
import { type ProjectContextValue, useSelectedVersion, useProject } from '../project/project-context';
import { useSession } from '../session/session-provider';
import { useDraft } from '../writing/drafts';
import { mentionablesOf } from '../writing/mention-search';
import { toWire } from '../writing/mention-text';
import { usePauseWhileWriting } from '../writing/use-pause-while-writing';
import { useGrowingStamp } from './growing-stamp';
import type { NewPost, PostTag, SelectedRegion } from './new-post';
import { EMPTY_DRAFT, type PostDraft } from './post-draft';
import { useRegionTagging } from './region-tagging';
import { type TextLimit, textProblem } from './text-limit';

/** Where a box keeps its text, and what happens to it. */
export interface WritingPlace {
  /** Where the draft is stored. */
  readonly draftKey: string;
  readonly limit: TextLimit;
  /** The post to reply to; null for a new one. */
  readonly parentId: Id | null;
  readonly send: (post: NewPost) => void;
}

/** The tag of a new post: the selected region, once its box is ticked, with what the writer changed of it. */
function useTag(selected: SelectedRegion | null) {
  const [wantsTag, setTagged] = useState(false);
  const tagged = wantsTag ? selected : null;
  const { change, revert } = useRegionTagging(tagged?._id ?? null);
  /** Saves the region first if it is still a draft. */
  const resolve = async (): Promise<PostTag | null> => {
    if (tagged === null) return null;
    const { tag, start, end, save } = tagged;
    return { _id: await save(), tag, start, end, change };
  };
  return { tagged, isTagged: tagged !== null, setTagged, change, revert, resolve };
}

/**
 * The text, kept in this tab. Typing the first letter of a post stamps it with the playhead's position. A reply is about its post's
 * moment, unless it is written while the music plays.
 */
function useText({ playhead }: ProjectContextValue, { draftKey, parentId }: WritingPlace) {
  const selectedVersion = useSelectedVersion();
  const playback = usePauseWhileWriting(playhead);
  const [draft, save] = useDraft<PostDraft>(draftKey, EMPTY_DRAFT);
  const currentStamp = (wasPlaying: boolean): Stamp | null => {
    if (selectedVersion === null || selectedVersion.state === 'rejected' || (parentId !== null && !wasPlaying)) return null;
    return { versionId: selectedVersion._id, at: Math.min(toMillis(playhead.position()), selectedVersion.duration) };
  };
  const write = (text: string) => {
    const wasPlaying = playhead.isPlaying();
    playback.pause();
    if (text === '') playback.forget();
    save(text === '' ? EMPTY_DRAFT : { text, stamp: draft.text === '' ? currentStamp(wasPlaying) : draft.stamp });
  };
  return { draft, save, write, playback, versionId: selectedVersion?._id ?? null };
}

/** What was written after a draft was sent: the next draft. */
function writtenSince(sent: PostDraft, now: PostDraft): PostDraft {
  const text = now.text.startsWith(sent.text) ? now.text.slice(sent.text.length).trimStart() : now.text;
  return text === '' ? EMPTY_DRAFT : { ...now, text };
}

/**
 * State and actions of a box for posts.
 * @param selected the region to offer as a tag
 */
export function useWriting(place: WritingPlace, selected: SelectedRegion | null) {
  const project = useProject();
  const { requireAccount } = useSession();
  const { draft, save, write, playback, versionId } = useText(project, place);
  const latest = useRef(draft);
  useLayoutEffect(() => {
    latest.current = draft;
  });
  const tag = useTag(selected);
  const growing = useGrowingStamp(place.parentId === null ? draft.stamp : null, tag);
  const [isBusy, setBusy] = useState(false);
  const people = mentionablesOf(project.members, project.user.uid);
  const error = textProblem(draft.text, place.limit);
  const canSend = !showsNothing(draft.text) && error === null && !isBusy;

  /** @throws the server's refusal of a region that had to be saved first; the draft is kept */
  const submit = async () => {
    if (!canSend || !requireAccount()) return;
    const content = toWire(
      draft.text,
      people.map(({ username }) => username),
    );
    setBusy(true);
    try {
      // A post is about the version that was stamped, whichever is open when it is sent.
      place.send({ parentId: place.parentId, content, versionId: draft.stamp?.versionId ?? versionId, stamp: draft.stamp, region: await tag.resolve() });
      save(writtenSince(draft, latest.current));
      tag.setTagged(false);
      playback.resume();
    } finally {
      setBusy(false);
    }
  };
  /** Puts unsent text back into the box, after any text written in the meantime. */
  const takeBack = (text: string) => save({ ...draft, text: draft.text === '' ? text : `${draft.text}\n${text}` });
  const removeStamp = () => save({ ...draft, stamp: null });
  return { draft, write, people, tag, growing, canSend, isBusy, error, limit: place.limit, versionId, removeStamp, takeBack, submit };
}

export type Writing = ReturnType<typeof useWriting>;
