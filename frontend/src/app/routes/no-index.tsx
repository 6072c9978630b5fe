/** Keeps a page out of search engines. React moves it to the head. */
export const NoIndex = () => <meta name="robots" content="noindex" />;
