import type { ContactBody } from '@roughmix/contracts/inquiries/inquiry.api.js';
import { INQUIRY_PATHS } from '@roughmix/contracts/inquiries/inquiry.paths.js';
import type { ContactedAnswer } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { showsNothing } from '@roughmix/contracts/shared/visible-text.js';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { errorMessage, isProblem } from '../../shared/api/api-errors';
import { api } from '../../shared/api/client';
import { Button } from '../../shared/ui/button';
import { Checkbox } from '../../shared/ui/checkbox';
import { FieldError } from '../../shared/ui/field';
import { TextArea } from '../../shared/ui/text-area';
import { TextField } from '../../shared/ui/text-field';
import { useFocusInvalid } from '../../shared/ui/use-focus-invalid';
import { DoneNote } from './done-note';
import { fieldErrorOf } from './field-error';
import styles from './front-door.module.css';

type Draft = Required<Omit<ContactBody, 'fullName'>>;
type TextOf = Exclude<keyof Draft, 'subscribe'>;

const EMPTY: Draft = { firstName: '', lastName: '', reply_to: '', company: '', phone: '', subscribe: false, message_content: '' };

interface ContactText {
  readonly name: TextOf;
  readonly label: string;
  readonly autoComplete: string;
  readonly type?: 'text' | 'email' | 'tel';
  readonly isOptional?: boolean;
}

const NAMES: readonly ContactText[] = [
  { name: 'firstName', label: 'First Name', autoComplete: 'given-name' },
  { name: 'lastName', label: 'Last Name', autoComplete: 'family-name' },
];
const ADDRESSES: readonly ContactText[] = [
  { name: 'reply_to', label: 'Email', autoComplete: 'email', type: 'email' },
  { name: 'company', label: 'Company (optional)', autoComplete: 'organization', isOptional: true },
  { name: 'phone', label: 'Phone (optional)', autoComplete: 'tel', type: 'tel', isOptional: true },
];

/** Leaves out what was left empty. */
const bodyOf = ({ firstName, lastName, reply_to, subscribe, ...optional }: Draft): ContactBody => {
  const written = Object.fromEntries(Object.entries(optional).filter(([, text]) => !showsNothing(text)));
  return { firstName, lastName, fullName: `${firstName} ${lastName}`, reply_to: reply_to.trim(), subscribe, ...written };
};

const sendMessage = async (draft: Draft) => (await api.send<ContactedAnswer>('POST', INQUIRY_PATHS.contact, bodyOf(draft), { retries: 0 })).answer;

const errorOf = (error: unknown, name: TextOf): string | undefined =>
  name === 'reply_to' && isProblem(error, 'email.invalid') ? errorMessage(error) : fieldErrorOf(error, name);

/** A message to the operator. A failed one stays in the form. */
export function ContactForm() {
  const [draft, setDraft] = useState(EMPTY);
  const { mutate, isPending, data, error } = useMutation({ mutationFn: sendMessage });
  const form = useFocusInvalid(error);
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isPending && data === undefined) mutate(draft);
  };
  const fieldOf = ({ name, label, autoComplete, type = 'text', isOptional = false }: ContactText) => (
    <TextField
      key={name}
      label={label}
      type={type}
      name={name}
      autoComplete={autoComplete}
      required={!isOptional}
      size="l"
      value={draft[name]}
      onChange={(text) => change({ [name]: text })}
      error={errorOf(error, name)}
    />
  );
  const isExplained = [...NAMES, ...ADDRESSES, { name: 'message_content' as const }].some(({ name }) => errorOf(error, name) !== undefined);
  return (
    <form ref={form} className={styles.form} onSubmit={submit} aria-label="Connect with Us">
      <div className={styles.pair}>{NAMES.map(fieldOf)}</div>
      {ADDRESSES.map(fieldOf)}
      <TextArea
        label="Message (optional)"
        name="message_content"
        rows={4}
        limit={LIMITS.contactMessage}
        value={draft.message_content}
        onChange={(text) => change({ message_content: text })}
        error={errorOf(error, 'message_content')}
      />
      <Checkbox label="Send me news about Roughmix" isSelected={draft.subscribe} onChange={(subscribe) => change({ subscribe })} />
      <Button type="submit" variant="primary" size="l" isWide isPending={isPending} aria-disabled={data !== undefined}>
        {isPending ? 'One sec' : 'Send'}
      </Button>
      <DoneNote>{data?.message}</DoneNote>
      {error !== null && !isExplained && <FieldError>{errorMessage(error)}</FieldError>}
    </form>
  );
}
