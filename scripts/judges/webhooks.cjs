// Verifies signed webhooks with standardwebhooks: [{secret, headers, body}, …] on standard
// input, a list of what is wrong with each out.
const { Webhook } = require("standardwebhooks");

const said = JSON.parse(require("fs").readFileSync(0, "utf8")).map(({ secret, headers, body }) => {
  try {
    new Webhook(secret).verify(body, headers);
    return "";
  } catch (e) {
    return String(e.message || e);
  }
});
process.stdout.write(JSON.stringify(said));
