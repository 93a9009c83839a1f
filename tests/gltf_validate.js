// gltf_validate.js FILE...: what Khronos' validator (npm gltf-validator) says of each: a line for every error and warning.
// Exit 0: none; 1: some; 2: no validator. GLTF_VALIDATOR (build/validator): the folder that holds node_modules.
const fs = require('fs'), path = require('path');
const folder = process.env.GLTF_VALIDATOR || path.join(__dirname, '..', 'build', 'validator');
let validator;
try {
	validator = require(require.resolve('gltf-validator', {paths: [folder]}));
} catch (error) {
	process.exit(2);
}
const shown = process.env.GLTF_INFORMATION ? 3 : 2;

async function check(file) {
	const load = async uri => new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri))));
	const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)),
		{uri: path.basename(file), maxIssues: 0, externalResourceFunction: load});
	const issues = report.issues.messages.filter(issue => issue.severity < shown);
	issues.slice(0, 5).forEach(issue => console.log(`${file}: ${issue.code} ${issue.pointer || ''}: ${issue.message}`));
	return issues.length;
}

(async () => {
	let found = 0;
	for (const file of process.argv.slice(2))
		found += await check(file);
	process.exit(found > 0 ? 1 : 0);
})();
