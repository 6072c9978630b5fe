import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { SettingsDialog } from '../features/account/settings-dialog';
import { useSession } from '../shared/session/session-provider';
import { sessionQuery } from '../shared/session/session-query';
import { renderFor } from './with-session';

export const settingsDialog = () => screen.getByRole('dialog', { name: 'Settings' });
export const settingsField = (label: string) => within(settingsDialog()).getByLabelText(label, { selector: 'input, textarea' });
export const saveSettings = () => userEvent.click(within(settingsDialog()).getByRole('button', { name: 'Save' }));
export const settingsStatus = () => within(settingsDialog()).getByRole('status');

/** The dialog of the user that the session has at the moment. */
function OwnSettings() {
  const { user } = useSession();
  const [isOpen, setOpen] = useState(true);
  return user !== null && isOpen ? <SettingsDialog user={user} onClose={() => setOpen(false)} /> : null;
}

/** Opens the settings. @returns the user as the session has them */
export async function openSettingsOf(user: SelfView): Promise<() => SelfView | null | undefined> {
  const { cache } = renderFor(user, <OwnSettings />);
  await screen.findByRole('dialog', { name: 'Settings' });
  return () => cache.getQueryData(sessionQuery.queryKey)?.user;
}

/** An answer of the server that refuses. */
export const refusedBy = (status: number, code: string, detail: string, field?: string) => () => ({
  status,
  json: { type: 'about:blank', title: '', status, code, detail, ...(field === undefined ? {} : { field }) },
});
