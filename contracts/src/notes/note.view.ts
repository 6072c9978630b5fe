/** A project's notes. `private` and its hash are for the owner only. A hash is the SHA-256 of the UTF-8 text in lower-case hex. */
export interface NotesView {
  readonly public: string;
  readonly private?: string;
  readonly hash: { readonly public: string; readonly private?: string };
}
