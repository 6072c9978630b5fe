import type { EditUserBody } from '@roughmix/contracts/users/user.api.js';
import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isProblem } from '../../shared/api/api-errors';
import { cacheSelf } from '../../shared/session/session-query';
import { editProfile, hasOwnPhoto, savePicture } from './account.calls';
import { problemOf } from './form-problem';
import { useFormProblem } from './use-form-problem';
import type { ChosenPicture } from './use-picture';
import { type WelcomeDraft, welcomeProblem } from './welcome-rules';

interface WelcomeOptions {
  readonly user: SelfView;
  readonly picture: ChosenPicture | null;
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
export function useWelcome({ user, picture, onAccepted, onCompletedElsewhere }: WelcomeOptions) {
  const cache = useQueryClient();
  const [isSending, setSending] = useState(false);
  const [sent, setSent] = useState<number | null>(null);
  const [problem, setProblem] = useFormProblem({ photo: picture });
  const [savedPicture, setSavedPicture] = useState<ChosenPicture | null>(null);

  const savePhoto = async () => {
    if (picture === null || savedPicture === picture) return;
    setSent(0);
    cacheSelf(cache, await savePicture(user.uid, 'photo', picture, { onProgress: setSent }));
    setSavedPicture(picture);
    setSent(null);
  };
  const send = async (draft: WelcomeDraft) => {
    setSending(true);
    try {
      await savePhoto();
      onAccepted(await editProfile(user.uid, bodyOf(draft)));
    } catch (error) {
      if (isProblem(error, 'profile.completed')) onCompletedElsewhere();
      else setProblem(problemOf(error, { kind: 'photo', file: picture?.file }));
      setSent(null);
      setSending(false);
    }
  };
  const submit = (draft: WelcomeDraft) => {
    if (isSending) return;
    const found = welcomeProblem(draft, picture !== null || hasOwnPhoto(user));
    setProblem(found);
    if (found === null) void send(draft);
  };
  const isPictureSaved = picture !== null && savedPicture === picture;
  return { isSending, sent, problem, isPictureSaved, submit };
}
