import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { detailOf } from '@roughmix/contracts/shared/problems.js';
import { trimmed } from '@roughmix/contracts/shared/visible-text.js';
import { useId, useState, type SubmitEvent } from 'react';
import { errorMessage } from '../../shared/api/api-errors';
import { Button } from '../../shared/ui/button';
import { Dialog } from '../../shared/ui/dialog';
import { TextField } from '../../shared/ui/text-field';

interface TitleDialogProps {
  /** 'New collection' */
  readonly heading: string;
  /** The label of the button: 'Add'. */
  readonly confirm: string;
  readonly title?: string;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onSubmit: (title: string) => void;
  readonly onClose: () => void;
}

/** Asks for the title of a collection. */
export function TitleDialog({ heading, confirm, title = '', error, isPending, onSubmit, onClose }: TitleDialogProps) {
  const formId = useId();
  const [text, setText] = useState(title);
  const typed = trimmed(text);
  const isTooLong = typed.length > LIMITS.collectionTitle;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (typed !== '' && !isTooLong && !isPending) onSubmit(typed);
  };
  const problem = isTooLong ? detailOf('limit.title') : error ? errorMessage(error) : undefined;
  const footer = (
    <>
      <Button variant="quiet" onPress={onClose}>
        Cancel
      </Button>
      <Button variant="primary" type="submit" form={formId} isPending={isPending} isDisabled={typed === ''}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={heading} isOpen onClose={onClose} footer={footer} size="s">
      <form id={formId} onSubmit={submit}>
        <TextField label="Title" value={text} onChange={setText} autoComplete="off" autoFocus {...(problem === undefined ? {} : { error: problem })} />
      </form>
    </Dialog>
  );
}
