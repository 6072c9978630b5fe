import type { AnalysisResult, CopyResult, ProbeResult } from './audio-format.js';

/** Requests to the child process. */
export type AudioRequest =
  | { readonly kind: 'probe'; readonly path: string; readonly size: number }
  | { readonly kind: 'analyse'; readonly path: string; readonly outFolder: string; readonly duration: number }
  | { readonly kind: 'copy'; readonly path: string; readonly outFolder: string };

/** Replies of the child process: `ready` once, then one per request. `failed` is our failure, not the file's. */
export type AudioReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'probed'; readonly result: ProbeResult }
  | { readonly kind: 'analysed'; readonly result: AnalysisResult }
  | { readonly kind: 'copied'; readonly result: CopyResult }
  | { readonly kind: 'failed'; readonly message: string };
