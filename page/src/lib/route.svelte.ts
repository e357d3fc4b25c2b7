// The address of a view: `#/sentence?s=…`. Each view reads its own parameters and writes them back.

export const VIEWS = [
  { name: "sentence", label: "Sentence", project: false },
  { name: "project", label: "Project", project: true },
  { name: "set", label: "The set", project: true },
  { name: "timelines", label: "Timelines", project: false },
  { name: "models", label: "Models", project: true },
  { name: "english", label: "Controlled English", project: true },
  { name: "logs", label: "Logs", project: true },
] as const;

export type View = (typeof VIEWS)[number]["name"];

type Route = { view: View; parameters: URLSearchParams };

function read(): Route {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const view = VIEWS.find((each) => each.name === path)?.name ?? "sentence";
  return { view, parameters: new URLSearchParams(query) };
}

/** The current address; `visit` counts how often the user came to it from elsewhere. */
export const route = $state<Route & { visit: number }>({ ...read(), visit: 0 });

addEventListener("hashchange", () => {
  Object.assign(route, read());
  route.visit += 1;
});

/** The address of a view with parameters; empty ones are left out. */
export function address(view: View, parameters: Record<string, string | null | undefined> = {}): string {
  const given = Object.entries(parameters).filter((each): each is [string, string] => !!each[1]);
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query ? `?${query}` : ""}`;
}

let pending: ReturnType<typeof setTimeout> | undefined;

/** Puts what the view shows into the address, without a new entry in the history. Browsers limit how often that may happen. */
export function remember(view: View, parameters: Record<string, string | null | undefined>): void {
  clearTimeout(pending);
  const before = location.hash;
  pending = setTimeout(() => {
    // The user may have gone elsewhere meanwhile, even if the event that tells of it is still to come.
    if (location.hash === before) history.replaceState(null, "", address(view, parameters));
  }, 150);
}
