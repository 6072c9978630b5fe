import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { errorMessage, isProblem } from '../../../shared/api/api-errors';
import { Button } from '../../../shared/ui/button';
import { TextField } from '../../../shared/ui/text-field';
import { useFocusInvalid } from '../../../shared/ui/use-focus-invalid';
import { DoneNote } from '../done-note';
import styles from '../front-door.module.css';
import { WhileOpen } from '../../../shared/ui/while-open';
import { RemoveUserDialog } from './remove-user-dialog';
import { findRemoval, type Removal, removeUser } from './remove-user.queries';
import type { AdminKey } from './use-admin-key';

const FAILED = detailOf('user.not-removed');

/** What the form says about a failure; a wrong key is said at its own field. */
function failureOf(error: unknown): string | undefined {
  if (error === null || isProblem(error, 'admin.unauthorized')) return undefined;
  const reason = errorMessage(error);
  return reason === FAILED ? FAILED : `${FAILED}. ${reason}`;
}

/** Removes a user by uid or e-mail address, after showing who it is. */
export function RemoveUserForm({ adminKey }: { readonly adminKey: AdminKey }) {
  const [who, setWho] = useState('');
  const [removal, setRemoval] = useState<Removal | null>(null);
  const lookUp = useMutation({
    mutationFn: (key: string) => findRemoval(key, who.trim()),
    onSuccess: setRemoval,
    onError: adminKey.checkError,
  });
  const remove = useMutation({
    mutationFn: removeUser,
    onSuccess: () => setWho(''),
    onError: adminKey.checkError,
    onSettled: () => setRemoval(null),
  });
  const error = lookUp.error ?? remove.error;
  const form = useFocusInvalid(error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const key = lookUp.isPending ? null : adminKey.take();
    if (key === null) return;
    remove.reset();
    lookUp.mutate(key);
  };
  const change = (text: string) => {
    setWho(text);
    lookUp.reset();
    remove.reset();
  };
  return (
    <form ref={form} className={styles.form} onSubmit={submit} aria-label="Remove User">
      <TextField
        label="User id or email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        size="l"
        value={who}
        onChange={change}
        error={failureOf(error)}
      />
      <Button type="submit" variant="danger-quiet" size="l" isWide isPending={lookUp.isPending}>
        Remove User
      </Button>
      <DoneNote>{remove.data?.message}</DoneNote>
      <WhileOpen value={removal}>
        {(asked) => <RemoveUserDialog removal={asked} isPending={remove.isPending} onClose={() => setRemoval(null)} onConfirm={() => remove.mutate(asked)} />}
      </WhileOpen>
    </form>
  );
}
