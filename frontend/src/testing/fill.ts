import { userEvent } from '@testing-library/user-event';

/** Pastes text into a field, where a spec is about what is sent: typing renders the page for each letter. */
export async function fill(field: Element, text: string): Promise<void> {
  await userEvent.click(field);
  await userEvent.paste(text);
}
