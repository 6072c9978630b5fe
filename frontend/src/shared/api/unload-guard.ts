let guards = 0;

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
  // oxlint-disable-next-line typescript/no-deprecated -- Chrome before 119 asks only if a value is set
  event.returnValue = true;
}

/** Asks before the tab is closed or reloaded. @returns a function that ends this; further calls of it do nothing */
export function guardUnload(): () => void {
  let isGuarding = true;
  guards += 1;
  if (guards === 1) window.addEventListener('beforeunload', ask);
  return () => {
    if (!isGuarding) return;
    isGuarding = false;
    guards -= 1;
    if (guards === 0) window.removeEventListener('beforeunload', ask);
  };
}
