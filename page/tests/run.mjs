// Tests of the page in a browser, against the real server: `npm test`. The binary is ../target/debug/shall or $SHALL.

import { after, before } from "node:test";
import { accessibilityTests } from "./accessibility.mjs";
import { projectTests } from "./project.mjs";
import { sentenceTests } from "./sentence.mjs";
import { closeAll, emptyFolder, projectFolder, serve } from "./serve.mjs";
import { unitTests } from "./units.mjs";
import { beginTests, typesTest, viewTests } from "./views.mjs";

let folder, project, playground;
before(async () => {
  folder = projectFolder();
  project = await serve(folder);
  playground = await serve(emptyFolder());
});
after(closeAll);

unitTests();
typesTest();
sentenceTests(() => playground);
projectTests(() => project, () => folder);
viewTests(() => project, () => playground);
beginTests();
accessibilityTests(() => project, () => playground);
