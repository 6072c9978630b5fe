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

const controlOf = (form: HTMLFormElement, field: FieldName): HTMLElement | null => form.querySelector(`[name="${field}"], [data-field="${field}"]`);

/** Moves the focus to the control that a problem is about, and scrolls to the message. */
export function showProblem(form: HTMLFormElement | null, problem: FormProblem | null): void {
  if (form === null || problem === null) return;
  const control = problem.field === null ? null : controlOf(form, problem.field);
  control?.focus();
  const shown = control === null ? form.querySelector('[role="alert"]') : control.closest('.field, [role="group"]');
  shown?.scrollIntoView({ block: 'nearest' });
}
