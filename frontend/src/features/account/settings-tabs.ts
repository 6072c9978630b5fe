/** The tabs of the settings, as links name them. */
export const SETTINGS_TABS = ['profile', 'notifications'] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];
