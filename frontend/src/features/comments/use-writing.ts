import type { Stamp } from '@roughmix/contracts/comments/comment.events.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import { useRef, useState } from 'react';
import { useSession } from '../../shared/session/session-provider';
import { toWire } from './comment-words';
import { draftKey, NO_DRAFT, useDraft } from './kept-drafts';
import { mentionablesOf } from './mention-search';
import { outboxOf, type OutgoingTag } from './outbox';
import type { Surroundings } from './surroundings';

/** The playhead in the version that is heard; null where there is none. */
function momentOf({ heard, moment }: Surroundings): Stamp | null {
  if (heard === null || heard.state === 'rejected') return null;
  return { versionId: heard._id, at: Math.min(toMillis(moment.position()), heard.duration) };
}

/** Typing pauses what plays; sending lets it go on. */
function usePausing({ moment }: Surroundings) {
  const wasPlaying = useRef(false);
  return {
    pause: () => {
      if (!moment.isPlaying()) return;
      wasPlaying.current = true;
      moment.pause();
    },
    goOn: () => {
      if (wasPlaying.current && !moment.isPlaying()) moment.play();
      wasPlaying.current = false;
    },
  };
}

/** The region to go along; one that nobody has saved is saved first. */
async function tagOf({ region, saveRegion }: Surroundings): Promise<OutgoingTag | null> {
  if (region === null) return null;
  const { _id, tag, start, end, isDraft } = region;
  return { _id: isDraft ? await saveRegion() : _id, tag, start, end };
}

/** The words, kept in this tab; the first of them stamps the playhead. */
function useWords(around: Surroundings, parentId: string | null, onType: () => void) {
  const { projectId, user } = around;
  const [draft, keep] = useDraft(draftKey(user.uid, projectId, parentId));
  const write = (text: string) => {
    onType();
    const begins = draft.text === '' && text !== '';
    keep(text === '' ? NO_DRAFT : { text, stamp: begins && parentId === null ? momentOf(around) : draft.stamp });
  };
  return { draft, keep, write, isTooLong: draft.text.length > LIMITS.comment };
}

/** A new comment or reply while it is written: its words, moment and tag, kept until it is on its way. */
export function useWriting(around: Surroundings, parentId: string | null) {
  const { projectId, user, heard, members, region } = around;
  const { requireAccount } = useSession();
  const pausing = usePausing(around);
  const { draft, keep, write, isTooLong } = useWords(around, parentId, pausing.pause);
  const [wantsTag, setTagged] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const outbox = outboxOf(user.uid, projectId);
  const people = mentionablesOf(members, user.uid);
  const isTagged = wantsTag && region !== null && parentId === null;
  const canSend = draft.text.trim() !== '' && !isTooLong && !isBusy;
  const versionId = heard?._id ?? null;

  /** @throws what the server said of a region that had to be saved first; the draft is then still there */
  const submit = async () => {
    if (!canSend || !requireAccount()) return;
    const content = toWire(
      draft.text,
      people.map(({ username }) => username),
    );
    setBusy(true);
    try {
      const tag = isTagged ? await tagOf(around) : null;
      outbox.send({ kind: 'text', parentId, content, versionId, stamp: draft.stamp, region: tag });
      keep(NO_DRAFT);
      setTagged(false);
      pausing.goOn();
    } finally {
      setBusy(false);
    }
  };
  const sendImage = (file: File) => {
    if (requireAccount()) outbox.send({ kind: 'image', parentId: null, content: file.name, versionId, stamp: null, region: null }, file);
  };
  const error = isTooLong ? detailOf('limit.content') : null;
  return { draft, keep, write, people, isTagged, setTagged, canSend, isBusy, error, dropStamp: () => keep({ ...draft, stamp: null }), submit, sendImage };
}

export type Writing = ReturnType<typeof useWriting>;
