import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isAbort, isProblem } from '../../shared/api/api-errors';
import { cacheSelf, sessionQuery } from '../../shared/session/session-query';
import { changePassword, editProfile, type PictureKind, removePicture, savePicture } from './account.calls';
import { type FormProblem, problemOf, type SavedPicture } from './form-problem';
import { changesPassword, PASSWORD_SPACE, settingsProblem } from './settings-rules';
import { useFormProblem } from './use-form-problem';
import type { Picture } from './use-picture';
import { isPictureChanged, type SettingsDraft } from './use-settings-draft';

/** One part of a save. Parts that succeeded before one fails stay saved. */
interface Step {
  readonly picture?: SavedPicture;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

interface SaveContext {
  readonly user: SelfView;
  readonly cache: QueryClient;
  readonly onProgress: (done: number | null) => void;
}

function pictureStep(kind: PictureKind, { chosen, reset }: Picture, { user, cache, onProgress }: SaveContext): Step {
  const run = async (signal: AbortSignal) => {
    if (chosen !== null) onProgress(0);
    cacheSelf(cache, await (chosen === null ? removePicture(user.uid, kind, { signal }) : savePicture(user.uid, kind, chosen, { signal, onProgress })));
    reset();
    onProgress(null);
  };
  return { picture: { kind, file: chosen?.file }, run };
}

/** What to save, in this order: the password is refused most often, and then nothing else is saved. */
function stepsOf({ body, password, photo, cover, forgetTexts, forgetPassword }: SettingsDraft, context: SaveContext): readonly Step[] {
  const { user, cache } = context;
  const savePassword = async (signal: AbortSignal) => {
    await changePassword({ currentPassword: password.currentPassword, newPassword: password.newPassword }, { signal });
    forgetPassword();
  };
  const steps: Step[] = [];
  if (changesPassword(password)) steps.push({ run: savePassword });
  if (body !== null) {
    const saveTexts = async (signal: AbortSignal) => {
      cacheSelf(cache, await editProfile(user.uid, body, { signal }));
      forgetTexts();
    };
    steps.push({ run: saveTexts });
  }
  if (isPictureChanged(photo)) steps.push(pictureStep('photo', photo, context));
  if (isPictureChanged(cover)) steps.push(pictureStep('cover', cover, context));
  return steps;
}

/** Names and faces are part of most views, and the devices of a changed password. */
const refreshOthers = (cache: QueryClient): Promise<void> => cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });

const refusal = (error: unknown, picture: SavedPicture | undefined): FormProblem =>
  isProblem(error, 'password.space') ? PASSWORD_SPACE : problemOf(error, picture);

/** Saves the settings; one part after the other, so that a refusal stops the rest. `onProblem` is called before the problem is shown. */
export function useSaveSettings(user: SelfView, draft: SettingsDraft, onProblem: (problem: FormProblem) => void) {
  const cache = useQueryClient();
  const [phase, setPhase] = useState<'editing' | 'saving' | 'saved'>('editing');
  const [sent, setSent] = useState<number | null>(null);
  const [problem, setProblem] = useFormProblem({ photo: draft.photo.chosen, cover: draft.cover.chosen });
  const report = (found: FormProblem) => {
    onProblem(found);
    setProblem(found);
  };
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (steps: readonly Step[], signal: AbortSignal) => {
    let picture: SavedPicture | undefined;
    try {
      for (const step of steps) {
        ({ picture } = step);
        await step.run(signal);
      }
      setPhase('saved');
      void refreshOthers(cache);
    } catch (error) {
      setSent(null);
      setPhase('editing');
      if (!isAbort(error)) report(refusal(error, picture));
    }
  };
  const save = () => {
    if (phase === 'saving' || !draft.isDirty) return;
    const found = settingsProblem(draft.profile, draft.password);
    if (found !== null) return report(found);
    setProblem(null);
    setPhase('saving');
    running.current = new AbortController();
    void run(stepsOf(draft, { user, cache, onProgress: setSent }), running.current.signal);
  };
  return { save, stop: () => running.current?.abort(), problem, sent, isSaving: phase === 'saving', isSaved: phase === 'saved' && !draft.isDirty };
}
