import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { createContext, type ReactNode, Suspense, useContext, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { SETTINGS_TABS, type SettingsTab } from '../features/account/settings-tabs';
import { useStableCallback } from '../shared/hooks/use-stable-callback';
import { useSession } from '../shared/session/session-provider';
import { DIALOG, part } from '../shared/ui/part';
import { WhileOpen } from '../shared/ui/while-open';

const SettingsDialog = part(async () => ({ default: (await import('../features/account/settings-dialog')).SettingsDialog }), DIALOG);
const PushOnThisBrowser = part(async () => ({ default: (await import('../features/push/push-on-this-browser')).PushOnThisBrowser }));

const OpenSettingsContext = createContext<((tab: SettingsTab) => void) | null>(null);

/** Opens the settings over the page. Guests have none, and get the note that says so. */
export function useOpenSettings(): (tab: SettingsTab) => void {
  const open = useContext(OpenSettingsContext);
  if (open === null) throw new Error('no WithSettings above');
  return open;
}

/** Opens the tab that `?settings=` names, once: the address then loses it. */
function useSettingsLink(open: (tab: SettingsTab) => void): void {
  const [search, setSearch] = useSearchParams();
  const linked = search.get('settings');
  const follow = useStableCallback(() => {
    const rest = new URLSearchParams(search);
    rest.delete('settings');
    setSearch(rest, { replace: true });
    open(SETTINGS_TABS.find((tab) => tab === linked) ?? 'profile');
  });
  useEffect(() => {
    if (linked !== null) follow();
  }, [linked, follow]);
}

const PushHere = ({ uid }: Pick<SelfView, 'uid'>) => (
  <Suspense fallback={null}>
    <PushOnThisBrowser uid={uid} />
  </Suspense>
);

/** The settings, for all pages with the header of signed-in users. */
export function WithSettings({ user, children }: { readonly user: SelfView; readonly children: ReactNode }) {
  const { requireAccount } = useSession();
  const [openTab, setOpenTab] = useState<SettingsTab | null>(null);
  const open = useStableCallback((tab: SettingsTab) => {
    if (requireAccount()) setOpenTab(tab);
  });
  useSettingsLink(open);
  return (
    <OpenSettingsContext value={open}>
      {children}
      <WhileOpen value={openTab}>
        {(tab) => (
          <Suspense fallback={null}>
            <SettingsDialog user={user} tab={tab} pushHere={<PushHere uid={user.uid} />} onClose={() => setOpenTab(null)} />
          </Suspense>
        )}
      </WhileOpen>
    </OpenSettingsContext>
  );
}
