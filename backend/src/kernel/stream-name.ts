/** The id in a stream's name: everything after its first dash (`project-<id>`). */
export const idInStream = (event: { readonly stream: string }): string => event.stream.slice(event.stream.indexOf('-') + 1);
