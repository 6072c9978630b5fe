import { TextArea, type TextAreaProps } from '../../shared/ui/text-area';
import { TextField, type TextFieldProps } from '../../shared/ui/text-field';
import type { AccountField as FieldName, FormProblem } from './form-problem';

/** From which share of its limit on a field counts characters. */
const COUNTED_FROM = 0.8;

interface OfForm {
  readonly name: FieldName;
  /** Counted when the text comes near it. */
  readonly max?: number;
  readonly problem: FormProblem | null;
  /** The element that shows the form's message; without one the field shows its own. */
  readonly messageId?: string;
}

function formProps({ name, max, problem, messageId, value }: OfForm & { readonly value: string }) {
  const counted = max !== undefined && value.length >= max * COUNTED_FROM ? { limit: max } : {};
  if (problem?.field !== name) return { name, ...counted };
  return { name, ...counted, ...(messageId === undefined ? { error: problem.message } : { 'aria-invalid': true, 'aria-describedby': messageId }) };
}

export type AccountFieldProps = OfForm & Omit<TextFieldProps, 'limit' | 'error' | 'name'>;

/** A line of text in a form that has one problem at a time. */
export const AccountField = ({ name, max, problem, messageId, ...rest }: AccountFieldProps) => (
  <TextField {...rest} {...formProps({ name, max, problem, messageId, value: rest.value })} />
);

export type AccountAreaProps = OfForm & Omit<TextAreaProps, 'limit' | 'error' | 'name'>;

/** Several lines of text in such a form. */
export const AccountArea = ({ name, max, problem, messageId, ...rest }: AccountAreaProps) => (
  <TextArea {...rest} {...formProps({ name, max, problem, messageId, value: rest.value })} />
);

/** Moves the focus to the control that a problem is about, and shows the message below it. */
export function focusField(form: HTMLFormElement | null, field: FieldName | null): void {
  if (field === null) return;
  const control = form?.querySelector<HTMLElement>(`[name="${field}"], [data-field="${field}"]`);
  control?.focus();
  control?.closest('.field, [role="group"]')?.scrollIntoView({ block: 'nearest' });
}
