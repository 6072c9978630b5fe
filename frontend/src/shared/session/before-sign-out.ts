type Task = () => Promise<void>;

const tasks = new Set<Task>();

/** Runs a task before the user is signed out, such as saving what they wrote; the function that is returned cancels it. */
export function beforeSignOut(task: Task): () => void {
  tasks.add(task);
  return () => void tasks.delete(task);
}

/** Waits for all tasks; a failed one does not keep the user signed in. */
export const runBeforeSignOut = async (): Promise<void> => void (await Promise.allSettled([...tasks].map((task) => task())));
