import type { MarkerFormat } from './marker.formats.js';

export const MARKER_PATHS = {
  /** A file to save. With `inline=true`, browsers show the printable page. */
  export: ({ projectId, versionId, format }: { readonly projectId: string; readonly versionId: string; readonly format: MarkerFormat }) =>
    `/api/projects/${projectId}/markers?versionId=${versionId}&format=${format}${format === 'print' ? '&inline=true' : ''}`,
} as const;
