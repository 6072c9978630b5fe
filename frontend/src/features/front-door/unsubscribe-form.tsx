import type { Mailing } from '@roughmix/contracts/mailings/mailing.js';
import { MAILING_PATHS } from '@roughmix/contracts/mailings/mailing.paths.js';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorMessage, isProblem } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { Banner } from '../../shared/ui/banner';
import { Button } from '../../shared/ui/button';
import { DoneNote } from './done-note';
import styles from './front-door.module.css';

const TEXTS: Readonly<Record<Mailing, { readonly question: string; readonly done: string }>> = {
  digest: {
    question: 'The daily digest lists what is new, every day at 08:00. Turn it off?',
    done: 'You will not get the daily digest any more.',
  },
  todoReminders: {
    question: 'Reminder e-mails tell you when a todo is due. Turn them off? You still see reminders in Roughmix.',
    done: 'You will not get reminder e-mails any more.',
  },
};

export interface UnsubscribeFormProps {
  /** From the link. */
  readonly token: string;
  readonly mailing: Mailing;
  /** The link is not valid. */
  readonly onUnknown: () => void;
  /** Shown once they are turned off. */
  readonly children: ReactNode;
}

/** Turns off one kind of e-mail. Opening the link alone does nothing: mail programs and filters follow links too. */
export function UnsubscribeForm({ token, mailing, onUnknown, children }: UnsubscribeFormProps) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => api.send('POST', MAILING_PATHS.unsubscribe(token), {}),
    onError: (thrown) => isProblem(thrown, 'mail.unknown-token') && onUnknown(),
  });
  const { question, done } = TEXTS[mailing];
  return (
    <div className={styles.form}>
      {!isSuccess && (
        <>
          <p className="soft">{question}</p>
          {error !== null && <Banner tone="bad">{errorMessage(error)}</Banner>}
          <Button variant="primary" size="l" isWide isPending={isPending} onPress={() => mutate()}>
            Unsubscribe
          </Button>
        </>
      )}
      <DoneNote>{isSuccess ? done : undefined}</DoneNote>
      {isSuccess && children}
    </div>
  );
}
