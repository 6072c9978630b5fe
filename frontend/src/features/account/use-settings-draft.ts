import type { SelfView, UserSettings } from '@roughmix/contracts/users/user.view.js';
import { useState } from 'react';
import { SETTINGS_PICTURES } from './picture-file';
import {
  accountChanges,
  changesPassword,
  NO_PASSWORD,
  type PasswordDraft,
  profileChanges,
  type ProfileDraft,
  profileOf,
  switchChanges,
} from './settings-rules';
import { type Picture, usePicture } from './use-picture';

export const isPictureChanged = ({ chosen, isRemoved }: Picture): boolean => chosen !== null || isRemoved;

/** What was changed again while `sent` was being saved. */
const changedSince = <Fields extends object>(changes: Partial<Fields>, sent: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(changes).filter(([name, value]) => sent[name as keyof Fields] !== value)) as Partial<Fields>;

function useProfileDraft(user: SelfView) {
  const [changes, setChanges] = useState<Partial<ProfileDraft>>({});
  const profile: ProfileDraft = { ...profileOf(user), ...changes };
  return {
    profile,
    edit: (field: keyof ProfileDraft, value: string) => setChanges((before) => ({ ...before, [field]: value })),
    forget: () => setChanges((now) => changedSince(now, profile)),
  };
}

type SwitchChanges = { readonly [Group in keyof UserSettings]: Partial<UserSettings[Group]> };
const UNCHANGED: SwitchChanges = { pushNotifs: {}, mailNotifs: {}, profile: {} };

function useSwitches(saved: UserSettings) {
  const [{ pushNotifs, mailNotifs, profile }, setChanges] = useState(UNCHANGED);
  const settings: UserSettings = {
    pushNotifs: { ...saved.pushNotifs, ...pushNotifs },
    mailNotifs: { ...saved.mailNotifs, ...mailNotifs },
    profile: { ...saved.profile, ...profile },
  };
  return {
    settings,
    choose: <Group extends keyof UserSettings>(group: Group, choice: Partial<UserSettings[Group]>) =>
      setChanges((before) => ({ ...before, [group]: { ...before[group], ...choice } })),
    forget: () =>
      setChanges((now) => ({
        pushNotifs: changedSince(now.pushNotifs, settings.pushNotifs),
        mailNotifs: changedSince(now.mailNotifs, settings.mailNotifs),
        profile: changedSince(now.profile, settings.profile),
      })),
  };
}

/** Both tabs as they are on the screen. What the user left alone follows the saved account. */
export function useSettingsDraft(user: SelfView) {
  const { profile, edit, forget: forgetProfile } = useProfileDraft(user);
  const { settings, choose, forget: forgetSwitches } = useSwitches(user.settings);
  const [password, setPassword] = useState<PasswordDraft>(NO_PASSWORD);
  const photo = usePicture(SETTINGS_PICTURES);
  const cover = usePicture(SETTINGS_PICTURES);
  const isProfileChanged = profileChanges(user, profile) !== null || switchChanges(user.settings, settings, ['profile']) !== null;
  const unsaved = {
    profile: isProfileChanged || changesPassword(password) || isPictureChanged(photo) || isPictureChanged(cover),
    notifications: switchChanges(user.settings, settings, ['pushNotifs', 'mailNotifs']) !== null,
  };
  return {
    profile,
    settings,
    password,
    photo,
    cover,
    /** What to send; null if texts and switches are as saved. */
    body: accountChanges(user, profile, settings),
    /** Which tabs hold changes. */
    unsaved,
    isDirty: unsaved.profile || unsaved.notifications,
    edit,
    choose,
    /** Without the current password there is no new one. */
    editPassword: (field: keyof PasswordDraft, value: string) =>
      setPassword((before) => (field === 'currentPassword' && value === '' ? NO_PASSWORD : { ...before, [field]: value })),
    /** Texts and switches are saved as they are here. */
    forgetTexts: () => {
      forgetProfile();
      forgetSwitches();
    },
    forgetPassword: () => setPassword(NO_PASSWORD),
  };
}

export type SettingsDraft = ReturnType<typeof useSettingsDraft>;
