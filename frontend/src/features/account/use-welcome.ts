import type { EditUserBody } from '@roughmix/contracts/users/user.api.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isProblem } from '../../shared/api/api-errors';
import { cacheSelf } from '../../shared/session/session-query';
import { editProfile, hasOwnPhoto, savePicture } from './account.calls';
import { type FormProblem, problemOf } from './form-problem';
import type { ChosenPicture } from './use-picture';
import { type WelcomeDraft, welcomeProblem } from './welcome-rules';

interface WelcomeOptions {
  readonly user: SelfView;
  readonly onAccepted: (user: SelfView) => void;
  /** The form was accepted in another tab. */
  readonly onCompletedElsewhere: () => void;
}

const bodyOf = ({ firstName, lastName, username, newPassword }: WelcomeDraft): EditUserBody => ({
  firstName,
  lastName,
  newPassword,
  ...(username.trim() === '' ? {} : { username: username.trim() }),
});

/** Sends the welcome form: the picture first, because the form needs one that is saved. */
export function useWelcome({ user, onAccepted, onCompletedElsewhere }: WelcomeOptions) {
  const cache = useQueryClient();
  const [isSending, setSending] = useState(false);
  const [sent, setSent] = useState<number | null>(null);
  const [problem, setProblem] = useState<FormProblem | null>(null);
  const savedPicture = useRef<ChosenPicture | null>(null);

  const savePhoto = async (picture: ChosenPicture) => {
    if (savedPicture.current === picture) return;
    setSent(0);
    cacheSelf(cache, await savePicture(user.uid, 'photo', picture, { onProgress: setSent }));
    savedPicture.current = picture;
    setSent(null);
  };
  const send = async (draft: WelcomeDraft, picture: ChosenPicture | null) => {
    setSending(true);
    try {
      if (picture !== null) await savePhoto(picture);
      onAccepted(await editProfile(user.uid, bodyOf(draft)));
    } catch (error) {
      if (isProblem(error, 'profile.completed')) onCompletedElsewhere();
      else setProblem(problemOf(error));
      setSent(null);
      setSending(false);
    }
  };
  const submit = (draft: WelcomeDraft, picture: ChosenPicture | null): FormProblem | null => {
    if (isSending) return null;
    const found = welcomeProblem(draft, picture !== null || hasOwnPhoto(user));
    setProblem(found);
    if (found === null) void send(draft, picture);
    return found;
  };
  return { isSending, sent, problem, submit };
}
