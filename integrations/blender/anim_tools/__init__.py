# SPDX-License-Identifier: MIT
"""Animation (anim-tools): import and export of animation for armatures, objects, shape keys and cameras."""

import math
import os

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from . import clips, exporting, importing, programs

bl_info = {
    "name": "Animation (anim-tools)", "author": "the anim-tools authors", "version": (1, 0, 0), "blender": (3, 3, 0),
    "location": "File > Import, File > Export", "category": "Import-Export",
    "description": "Import and export AnimJ, AnimX, VRMA, BVH, FBX, Godot, Unity, AMC, npz and VMD animation",
}

EXTENSIONS = (".animj .animx .anim .vrma .bvh .fbx .glb .gltf .tscn .tres .scn .res .escn .npz .amc .vmd .vmc .prefab .unitypackage .csv "
              ".json .axs .axt .gz")
FORMATS = (("animj", "AnimJ"), ("animx", "AnimX"), ("vrma", "VRMA"), ("glb", "glTF (.glb)"), ("gltf", "glTF (.gltf)"), ("bvh", "BVH"),
           ("fbx", "FBX"), ("tres", "Godot library (.tres)"), ("tscn", "Godot scene (.tscn)"), ("anim", "Unity (.anim)"), ("vmd", "VMD"),
           ("csv", "CSV"), ("json", "JSON"), ("axs", "Stream of anim-tools (.axs)"))


class Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    programs: StringProperty(name="Folder of anim", subtype="DIR_PATH", description="Empty: search ANIM_TOOLS, PATH and the usual places")

    def draw(self, context):
        self.layout.prop(self, "programs")
        try:
            found = programs.find(self.programs)
            self.layout.label(text=f"{programs.run(found, '--version')[0]}: {found}", icon="CHECKMARK")
            if clips.library(found) is None:
                self.layout.label(text="libanim was not found: curves are sampled four times per frame", icon="INFO")
        except programs.Error as error:
            self.layout.label(text=str(error), icon="ERROR")


def chosen_folder():
    addon = bpy.context.preferences.addons.get(__package__)
    return addon.preferences.programs if addon else ""


class Dialog:
    """What both dialogs do. `tables` has the options of anim convert, whose texts in its help are the tooltips; `first` our own."""

    further: StringProperty(name="Further options", description="Other options of anim convert, in quotes if they contain spaces")

    @classmethod
    def add_options(cls, texts):
        for attribute, option, kind, label in sum(cls.tables.values(), ()):
            make = BoolProperty if kind == "bool" else StringProperty
            more = {"subtype": "FILE_PATH"} if kind == "file" else {}
            cls.__annotations__[attribute] = make(name=label, description=f"{texts.get(option, 'See anim convert --help all')} ({option})", **more)

    def draw(self, context):
        for name in self.first:
            self.layout.prop(self, name)
        for title, table in self.tables.items():
            box = self.layout.box()
            box.label(text=title)
            for attribute, _, _, _ in table:
                box.prop(self, attribute)
        self.layout.prop(self, "further")

    def execute(self, context):
        if context.object is not None and context.object.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        try:
            lines = self.run(context, programs.find(chosen_folder()))
        except programs.Error as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            context.window_manager.progress_end()
        for line in lines:
            self.report({"WARNING"} if ": warning: " in line else {"INFO"}, line)
        return {"FINISHED"}


class ImportAnimation(Dialog, bpy.types.Operator, ImportHelper):
    """Import animation onto the active armature, mesh, camera or object, or with a new armature"""
    bl_idname = "import_scene.anim_tools"
    bl_label = "Import animation"
    bl_options = {"REGISTER", "UNDO", "PRESET"}

    filter_glob: StringProperty(default=EXTENSIONS.replace(" ", ";").replace(".", "*."), options={"HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    to_active: BoolProperty(name="Onto the active object", default=True, description="Otherwise a new armature or camera is made")
    set_range: BoolProperty(name="Set the frame range", default=True, description="Give the scene the frames of the last clip")
    first = "to_active", "set_range"
    tables = {"Read": programs.READING, "Fit to the armature": programs.FITTING, "Edit": programs.EDITING}

    def run(self, context, program):
        reading, fitting, editing = (programs.arguments(self, table) for table in self.tables.values())
        reading += programs.words(self.further)
        paths = [os.path.join(self.directory, file.name) for file in self.files if file.name] or [self.filepath]
        made, lines, failed = [], [], []
        context.window_manager.progress_begin(0, len(paths))
        for i, path in enumerate(paths):
            context.window_manager.progress_update(i)
            try:
                found, told = importing.import_file(context, program, path, reading, fitting, editing, self.to_active)
                made, lines = made + found, lines + told
            except programs.Error as error:
                failed.append(str(error))
        if not made:
            raise programs.Error("\n".join(failed))
        for text in failed:
            self.report({"ERROR"}, text)
        if self.set_range:
            context.scene.frame_start, context.scene.frame_end = math.floor(made[-1][1]), max(math.ceil(made[-1][2]), 1)
        return [*lines, f"{len(made)} clip{'s' if len(made) != 1 else ''} imported: {', '.join(clip[0] for clip in made[:5])}"]


class ExportAnimation(Dialog, bpy.types.Operator, ExportHelper):
    """Export actions or NLA strips of the active object to any format of anim-tools"""
    bl_idname = "export_scene.anim_tools"
    bl_label = "Export animation"
    bl_options = {"REGISTER", "PRESET"}

    filename_ext = ""
    filter_glob: StringProperty(default="*", options={"HIDDEN"})
    format: EnumProperty(name="Format", items=[(*names, "") for names in FORMATS], default="glb")
    what: EnumProperty(name="Clips", default="ACTIVE", items=(
        ("ACTIVE", "Active action", ""), ("ALL", "All actions", "Each action that has curves for this object"),
        ("NLA", "NLA tracks", "Each as it plays alone"), ("SCENE", "Scene", "The frames of the scene, with all that moves the object")))
    sampled: BoolProperty(name="Sample", description="Sample each frame, also if nothing but curves moves the bones")
    first = "format", "what", "sampled"
    tables = {"Write": programs.WRITING, "Edit": programs.EDITING}

    def check(self, context):
        """Give the file the suffix of the format, also if the format is chosen after the name."""
        wanted = os.path.splitext(self.filepath)[0] + "." + self.format
        changed = bool(os.path.basename(self.filepath)) and self.filepath != wanted
        if changed:
            self.filepath = wanted
        return changed

    def run(self, context, program):
        words = programs.arguments(self, programs.WRITING + programs.EDITING) + programs.words(self.further)
        lines = exporting.export_file(context, program, self.filepath, self.format, self.what, self.sampled, words)
        return [*lines, f"{os.path.basename(self.filepath)} is written"]


handlers = []
if hasattr(bpy.types, "FileHandler"):  # 4.1 and later: files that are dropped into the window
    class DroppedFiles(bpy.types.FileHandler):
        bl_idname = "ANIM_TOOLS_FH_import"
        bl_label = "Animation (anim-tools)"
        bl_import_operator = "import_scene.anim_tools"
        bl_file_extensions = ".animj;.animx;.anim;.vrma;.npz;.amc;.vmd;.tscn;.tres;.axs"

        @classmethod
        def poll_drop(cls, context):
            return context.area is not None and context.area.type == "VIEW_3D"

    handlers.append(DroppedFiles)


def menu_import(self, _):
    self.layout.operator(ImportAnimation.bl_idname, text="Animation (anim-tools)")


def menu_export(self, _):
    self.layout.operator(ExportAnimation.bl_idname, text="Animation (anim-tools)")


def register():
    bpy.utils.register_class(Preferences)
    try:
        texts = programs.help_texts(programs.find(chosen_folder()))
    except programs.Error:
        texts = {}
    for cls in (ImportAnimation, ExportAnimation):
        cls.add_options(texts)
    for cls in (ImportAnimation, ExportAnimation, *handlers):
        bpy.utils.register_class(cls)
    bpy.types.TOPBAR_MT_file_import.append(menu_import)
    bpy.types.TOPBAR_MT_file_export.append(menu_export)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu_import)
    bpy.types.TOPBAR_MT_file_export.remove(menu_export)
    for cls in (*reversed(handlers), ExportAnimation, ImportAnimation, Preferences):
        bpy.utils.unregister_class(cls)
