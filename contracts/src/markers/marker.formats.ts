/** The formats of a version's marker export: REAPER's Region/Marker Manager, an Audacity label track, a table, a page to print. */
export const MARKER_FORMATS = ['reaper', 'audacity', 'csv', 'print'] as const;
export type MarkerFormat = (typeof MARKER_FORMATS)[number];

export const isMarkerFormat = (value: unknown): value is MarkerFormat => MARKER_FORMATS.some((format) => format === value);
