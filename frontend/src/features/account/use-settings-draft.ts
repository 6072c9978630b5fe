import type { SelfView } from '@roughmix/contracts/users/user.view.js';
import { useState } from 'react';
import { SETTINGS_PICTURES } from './picture-file';
import { changesPassword, NO_PASSWORD, type PasswordDraft, type PrivacyDraft, profileChanges, type ProfileDraft, profileOf } from './settings-rules';
import { type Picture, usePicture } from './use-picture';

export const isPictureChanged = ({ chosen, isRemoved }: Picture): boolean => chosen !== null || isRemoved;

/** The Profile tab as typed. Fields that the user left alone follow the saved profile. */
export function useSettingsDraft(user: SelfView) {
  const [changes, setChanges] = useState<Partial<ProfileDraft>>({});
  const [privacyChanges, setPrivacyChanges] = useState<Partial<PrivacyDraft>>({});
  const [password, setPassword] = useState<PasswordDraft>(NO_PASSWORD);
  const photo = usePicture(SETTINGS_PICTURES);
  const cover = usePicture(SETTINGS_PICTURES);
  const profile: ProfileDraft = { ...profileOf(user), ...changes };
  const privacy: PrivacyDraft = { ...user.settings.profile, ...privacyChanges };
  const body = profileChanges(user, profile, privacy);
  return {
    profile,
    privacy,
    password,
    photo,
    cover,
    /** What to send; null if the texts are as saved. */
    body,
    isDirty: body !== null || changesPassword(password) || isPictureChanged(photo) || isPictureChanged(cover),
    edit: (field: keyof ProfileDraft, value: string) => setChanges((before) => ({ ...before, [field]: value })),
    editPrivacy: (name: keyof PrivacyDraft, value: boolean) => setPrivacyChanges((before) => ({ ...before, [name]: value })),
    /** Without the current password there is no new one. */
    editPassword: (field: keyof PasswordDraft, value: string) =>
      setPassword((before) => (field === 'currentPassword' && value === '' ? NO_PASSWORD : { ...before, [field]: value })),
    forgetTexts: () => {
      setChanges({});
      setPrivacyChanges({});
    },
    forgetPassword: () => setPassword(NO_PASSWORD),
  };
}

export type SettingsDraft = ReturnType<typeof useSettingsDraft>;
