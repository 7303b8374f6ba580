# SPDX-License-Identifier: Apache-2.0
#
# Command lines of the tool: what each returns and says.
#
#   cmake -DCORTEN=path/to/corten -P cli_test.cmake        writes into the current folder

set(failures 0)

# runs corten with the arguments after the first two; the output, both streams, must match the pattern
function(expect code pattern)
  execute_process(COMMAND "${CORTEN}" ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REPLACE "\n" " " line "${text}")
  if(NOT result STREQUAL code OR NOT line MATCHES "${pattern}")
    string(JOIN " " command ${ARGN})
    message("corten ${command}\n  returned ${result}, expected ${code}; said: ${text}\n  expected: ${pattern}")
    math(EXPR failures "${failures} + 1")
    set(failures ${failures} PARENT_SCOPE)
  endif()
endfunction()

# a file must exist and begin with the text
function(expect_file path start)
  file(READ "${path}" text LIMIT 2000)
  if(NOT text MATCHES "^${start}")
    message("${path} does not begin with ${start}")
    math(EXPR failures "${failures} + 1")
    set(failures ${failures} PARENT_SCOPE)
  endif()
endfunction()

file(WRITE cli_ball.xml "<mujoco><worldbody><geom type='plane' size='1 1 1'/>
<body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>\n")
file(WRITE cli_still.xml "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>\n")
file(WRITE cli_broken.xml "<mujoco><worldbody>\n <geom size='1' tpe='sphere'/></worldbody></mujoco>\n")
file(WRITE cli_broken.json "{\"data\": [1,\n")
file(WRITE cli_dump.json "{\"data\": [{\"step\": 3, \"kind\": \"step\", \"pre\": {\"time\": 1,
 \"qpos\": [0, 0, 2, 1, 0, 0, 0]}}]}\n")

# ---- what works --------------------------------------------------------------------------------------
expect(0 "corten [0-9]+\\.[0-9]+\\.[0-9]+" --version)
expect(0 "Commands.*simulate.*inspect.*Exit codes" --help)
expect(0 "corten simulate .MODEL.xml. .options.*--csv FILE.csv.*Examples.*corten simulate robot.xml" simulate --help)
expect(0 "--data FILE.json.*Examples" help inspect)
expect(0 "steps +50 .*contacts.*solver iterations.*energy.*real time.*warnings +none" simulate --steps 50)
expect(0 "^$" simulate --steps 5 --quiet)
expect(0 "steps +20 .*wrote cli.csv" simulate cli_ball.xml --time 0.04 --csv cli.csv --svg cli.svg
       --picture cli_picture.svg --plot qpos:2,energy,ncon)
expect_file(cli.csv "time,qpos:0,qpos:1")
expect_file(cli.svg "<svg ")
expect_file(cli_picture.svg "<svg ")
expect(0 "steps +20" simulate --steps 20 --scalar float --ctrl noise --key squat --opt solver=PGS)
expect(0 "\"sizes\".*\"arrays\".*\"kind\": \"forward\"" inspect cli_ball.xml)
expect(0 "\"step\": 3.*\"time\": 1.002" inspect cli_ball.xml --data cli_dump.json)
expect(0 "^$" inspect cli_ball.xml --model --out cli_model.json)
expect_file(cli_model.json "{")
expect(0 "[0-9]+ × solver_limit" simulate cli_ball.xml --time 0.6 --opt enable=strictsolver,iterations=0)
expect(0 "warnings +none" simulate cli_ball.xml --time 0.6 --opt iterations=0)
expect(0 "steps +3 .*wrote cli_still.svg" simulate cli_still.xml --steps 3 --svg cli_still.svg --csv cli_still.csv)

# ---- what the user got wrong ---------------------------------------------------------------------------
expect(2 "corten COMMAND")
expect(2 "Type .corten simulate --help. for help" simulate --quiet=yes)
expect(2 "unknown command 'simulat' \\(did you mean 'simulate'" simulat)
expect(2 "unknown option '--stepz' \\(did you mean '--steps'" simulate --stepz 3)
expect(2 "--steps needs a value" simulate --steps)
expect(2 "--steps needs a whole number" simulate --steps many)
expect(2 "exclude each other" simulate --steps 3 --time 1)
expect(2 "--quiet takes no value" simulate --quiet=yes)
expect(2 "given twice" simulate --steps 3 --steps 4)
expect(2 "did you mean 'stumble'" simulate --key stumbel)
expect(2 "did you mean 'qpos'" simulate --svg cli.svg --plot qpoz)
expect(2 "side, front or top" simulate --from below)
expect(2 "hold, zero, sin or noise" simulate --ctrl square)
expect(2 "did you mean 'solver'" inspect cli_ball.xml --opt solvr=PGS)
expect(2 "one model file" inspect)

expect(2 "--csv would overwrite the model" simulate cli_ball.xml --steps 1 --csv ./cli_ball.xml)
expect(2 "--picture would overwrite --svg" simulate cli_ball.xml --steps 1 --svg cli_x.svg --picture ./cli_x.svg)
expect(2 "--out would overwrite the model" inspect cli_ball.xml --out cli_ball.xml)
expect(2 "option timestep: is not a positive number" simulate cli_ball.xml --opt timestep=0)

# ---- what is wrong with files ----------------------------------------------------------------------------
expect(1 "nowhere.xml: cannot read the file" simulate nowhere.xml)
expect(1 "cli_broken.xml:2:[0-9]+: .*'tpe'.*did you mean 'type'" simulate cli_broken.xml)
expect(1 "cli_broken.json:2:1: " inspect cli_ball.xml --data cli_broken.json)
expect(1 "nowhere/x.csv: cannot write the file" simulate --steps 1 --csv nowhere/x.csv)
expect(1 "nowhere/x.svg: cannot write the file" simulate --steps 1 --svg nowhere/x.svg)

if(failures GREATER 0)
  message(FATAL_ERROR "${failures} command line(s) failed")
endif()
