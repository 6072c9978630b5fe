import type { Stamp } from '@roughmix/contracts/comments/comment.events.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import { useRef, useState } from 'react';
import { useSession } from '../../shared/session/session-provider';
import { toWire } from './comment-words';
import { NO_DRAFT, useDraft, type Draft } from './kept-drafts';
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

/** A new comment or reply while it is written: its words, moment and tag, kept until it is on its way. */
export function useWriting(around: Surroundings, parentId: string | null) {
  const { projectId, user, heard, members } = around;
  const { requireAccount } = useSession();
  const [draft, keep] = useDraft(`roughmix.draft.${user.uid}.${projectId}${parentId === null ? '' : `.${parentId}`}`);
  const [isTagged, setTagged] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const pausing = usePausing(around);
  const outbox = outboxOf(user.uid, projectId);
  const people = mentionablesOf(members, user.uid);
  const isTooLong = draft.text.length > LIMITS.comment;
  const canSend = draft.text.trim() !== '' && !isTooLong && !isBusy;

  const write = (text: string) => {
    pausing.pause();
    const begins = draft.text === '' && text !== '';
    keep(text === '' ? NO_DRAFT : { text, stamp: begins && parentId === null ? momentOf(around) : draft.stamp });
  };
  const send = async (tag: Promise<OutgoingTag | null>, sent: Draft) => {
    const content = toWire(sent.text, people.map(({ username }) => username));
    setBusy(true);
    try {
      outbox.send({ kind: 'text', parentId, content, versionId: heard?._id ?? null, stamp: sent.stamp, region: await tag });
      keep(NO_DRAFT);
      setTagged(false);
      pausing.goOn();
    } finally {
      setBusy(false);
    }
  };
  return {
    draft,
    keep,
    people,
    write,
    isTagged: isTagged && around.region !== null,
    setTagged,
    canSend,
    isBusy,
    error: isTooLong ? detailOf('limit.content') : null,
    dropStamp: () => keep({ ...draft, stamp: null }),
    /** @throws what the server said of a region that had to be saved first; the draft is then still there */
    submit: async () => {
      if (!canSend || !requireAccount()) return;
      await send(isTagged && parentId === null ? tagOf(around) : Promise.resolve(null), draft);
    },
    sendImage: (file: File) => {
      if (!requireAccount()) return;
      outbox.send({ kind: 'image', parentId: null, content: file.name, versionId: heard?._id ?? null, stamp: null, region: null }, file);
    },
  };
}

export type Writing = ReturnType<typeof useWriting>;
